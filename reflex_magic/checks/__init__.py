"""The catalogue of checks, in the order they run."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from reflex_magic.checks.alias_is_no_copy import AliasIsNoCopy
from reflex_magic.checks.apply_returns_nothing import ApplyReturnsNothing
from reflex_magic.checks.asof_meets_wrong_rows import AsofMeetsWrongRows
from reflex_magic.checks.assertion_failed import AssertionFailed
from reflex_magic.checks.bad_lines_skipped import BadLinesSkipped
from reflex_magic.checks.base import Check
from reflex_magic.checks.bins_contradict_labels import BinsContradictLabels
from reflex_magic.checks.bins_lose_values import BinsLoseValues
from reflex_magic.checks.births_in_the_future import BirthsInTheFuture
from reflex_magic.checks.column_mixes_numbers_and_text import ColumnMixesNumbersAndText
from reflex_magic.checks.column_name_twice import ColumnNameTwice
from reflex_magic.checks.columns_share_a_name import ColumnsShareAName
from reflex_magic.checks.columns_shifted import ColumnsShifted
from reflex_magic.checks.compared_by_last_digits import ComparedByLastDigits
from reflex_magic.checks.compared_spelling_variants import ComparedSpellingVariants
from reflex_magic.checks.compared_with_another_type import ComparedWithAnotherType
from reflex_magic.checks.compared_with_midnight import ComparedWithMidnight
from reflex_magic.checks.compared_with_missing import ComparedWithMissing
from reflex_magic.checks.concat_columns_spelled_differently import ConcatColumnsSpelledDifferently
from reflex_magic.checks.concat_mixes_numbers_and_text import ConcatMixesNumbersAndText
from reflex_magic.checks.concat_repeats_labels import ConcatRepeatsLabels
from reflex_magic.checks.condition_broken import ConditionBroken
from reflex_magic.checks.conditions_exclude_each_other import ConditionsExcludeEachOther
from reflex_magic.checks.counted_one_off import CountedOneOff
from reflex_magic.checks.dates_in_order_of_letters import DatesInOrderOfLetters
from reflex_magic.checks.dates_left_as_text import DatesLeftAsText
from reflex_magic.checks.dates_read_swapped import DatesReadSwapped
from reflex_magic.checks.day_and_month_swapped import DayAndMonthSwapped
from reflex_magic.checks.duplicates_by_part_of_row import DuplicatesByPartOfRow
from reflex_magic.checks.duration_without_its_days import DurationWithoutItsDays
from reflex_magic.checks.first_or_last_skipped import FirstOrLastSkipped
from reflex_magic.checks.float_keys_too_long import FloatKeysTooLong
from reflex_magic.checks.fractions_cut_off import FractionsCutOff
from reflex_magic.checks.gaps_filled_with_zero import GapsFilledWithZero
from reflex_magic.checks.group_keys_dropped import GroupKeysDropped
from reflex_magic.checks.header_row_misplaced import HeaderRowMisplaced
from reflex_magic.checks.hours_moved_by_clock_change import HoursMovedByClockChange
from reflex_magic.checks.identifiers_read_as_numbers import IdentifiersReadAsNumbers
from reflex_magic.checks.infinite_values import InfiniteValues
from reflex_magic.checks.integers_wrap_around import IntegersWrapAround
from reflex_magic.checks.inverted_numbers import InvertedNumbers
from reflex_magic.checks.isin_misses_values import IsinMissesValues
from reflex_magic.checks.join_keys_spelled_differently import JoinKeysSpelledDifferently
from reflex_magic.checks.join_loses_rows import JoinLosesRows
from reflex_magic.checks.join_multiplies_rows import JoinMultipliesRows
from reflex_magic.checks.join_on_every_shared_column import JoinOnEverySharedColumn
from reflex_magic.checks.join_on_row_numbers import JoinOnRowNumbers
from reflex_magic.checks.label_picks_several_rows import LabelPicksSeveralRows
from reflex_magic.checks.last_day_cut import LastDayCut
from reflex_magic.checks.last_row_is_not_latest import LastRowIsNotLatest
from reflex_magic.checks.looked_up_in_the_index import LookedUpInTheIndex
from reflex_magic.checks.lookup_by_row_number import LookupByRowNumber
from reflex_magic.checks.lookup_table_repeats_keys import LookupTableRepeatsKeys
from reflex_magic.checks.markers_averaged import MarkersAveraged
from reflex_magic.checks.mask_precedence import MaskPrecedence
from reflex_magic.checks.mean_of_means import MeanOfMeans
from reflex_magic.checks.mean_of_ratios import MeanOfRatios
from reflex_magic.checks.minutes_for_months import MinutesForMonths
from reflex_magic.checks.missing_is_not_none import MissingIsNotNone
from reflex_magic.checks.new_index_misses_times import NewIndexMissesTimes
from reflex_magic.checks.nothing_averaged import NothingAveraged
from reflex_magic.checks.numbers_joined_as_text import NumbersJoinedAsText
from reflex_magic.checks.numbers_left_as_text import NumbersLeftAsText
from reflex_magic.checks.numbers_ordered_as_text import NumbersOrderedAsText
from reflex_magic.checks.order_lost import OrderLost
from reflex_magic.checks.part_of_period_compared import PartOfPeriodCompared
from reflex_magic.checks.parts_do_not_fit import PartsDoNotFit
from reflex_magic.checks.pattern_read_otherwise import PatternReadOtherwise
from reflex_magic.checks.percent_as_fraction import PercentAsFraction
from reflex_magic.checks.pivot_takes_means import PivotTakesMeans
from reflex_magic.checks.quote_swallows_rows import QuoteSwallowsRows
from reflex_magic.checks.raised import ExceptionRaised
from reflex_magic.checks.read_in_wrong_encoding import ReadInWrongEncoding
from reflex_magic.checks.recoding_misses_spellings import RecodingMissesSpellings
from reflex_magic.checks.replace_of_whole_values import ReplaceOfWholeValues
from reflex_magic.checks.result_not_kept import ResultNotKept
from reflex_magic.checks.row_numbers_read_as_column import RowNumbersReadAsColumn
from reflex_magic.checks.rows_counted_as_periods import RowsCountedAsPeriods
from reflex_magic.checks.rows_do_not_line_up import RowsDoNotLineUp
from reflex_magic.checks.rows_left_unread import RowsLeftUnread
from reflex_magic.checks.rows_not_in_order_of_time import RowsNotInOrderOfTime
from reflex_magic.checks.rows_not_sorted_by_date import RowsNotSortedByDate
from reflex_magic.checks.rows_of_several_groups import RowsOfSeveralGroups
from reflex_magic.checks.rows_stacked_twice import RowsStackedTwice
from reflex_magic.checks.search_misses_case import SearchMissesCase
from reflex_magic.checks.shares_leave_out_missing import SharesLeaveOutMissing
from reflex_magic.checks.silence import Silence
from reflex_magic.checks.spellings_counted_apart import SpellingsCountedApart
from reflex_magic.checks.strip_eats_letters import StripEatsLetters
from reflex_magic.checks.suffixes_name_the_other_side import SuffixesNameTheOtherSide
from reflex_magic.checks.text_is_true import TextIsTrue
from reflex_magic.checks.text_method_loses_values import TextMethodLosesValues
from reflex_magic.checks.thousands_read_as_decimals import ThousandsReadAsDecimals
from reflex_magic.checks.ties_left_out import TiesLeftOut
from reflex_magic.checks.time_unit_missed import TimeUnitMissed
from reflex_magic.checks.timed_out import RanTooLong
from reflex_magic.checks.times_counted_as_days import TimesCountedAsDays
from reflex_magic.checks.top_without_order import TopWithoutOrder
from reflex_magic.checks.total_row_among_data import TotalRowAmongData
from reflex_magic.checks.totals_among_rows import TotalsAmongRows
from reflex_magic.checks.units_stripped import UnitsStripped
from reflex_magic.checks.unmatched_rows_then_summed import UnmatchedRowsThenSummed
from reflex_magic.checks.usecols_order_ignored import UsecolsOrderIgnored
from reflex_magic.checks.utc_days_as_local_days import UtcDaysAsLocalDays
from reflex_magic.checks.values_coerced_to_missing import ValuesCoercedToMissing
from reflex_magic.checks.values_lost_in_constructor import ValuesLostInConstructor
from reflex_magic.checks.warned_of_wrong_numbers import WarnedOfWrongNumbers
from reflex_magic.checks.week_without_its_year import WeekWithoutItsYear
from reflex_magic.checks.whole_numbers_with_point import WholeNumbersWithPoint
from reflex_magic.checks.words_read_as_missing import WordsReadAsMissing
from reflex_magic.checks.write_reaches_copy import WriteReachesCopy
from reflex_magic.checks.wrong_end_taken import WrongEndTaken
from reflex_magic.checks.years_mixed_in_months import YearsMixedInMonths
from reflex_magic.checks.years_of_365_days import YearsOf365Days
from reflex_magic.core.finding import Finding, Severity
from reflex_magic.core.outcome import Run

CHECKS: tuple[Check, ...] = (
    ExceptionRaised(),
    RanTooLong(),
    AssertionFailed(),
    ConditionBroken(),
    GroupKeysDropped(),
    JoinMultipliesRows(),
    ValuesCoercedToMissing(),
    RowsDoNotLineUp(),
    NumbersJoinedAsText(),
    RecodingMissesSpellings(),
    AsofMeetsWrongRows(),
    ConcatColumnsSpelledDifferently(),
    ConcatMixesNumbersAndText(),
    ConcatRepeatsLabels(),
    DuplicatesByPartOfRow(),
    FloatKeysTooLong(),
    IsinMissesValues(),
    JoinKeysSpelledDifferently(),
    JoinLosesRows(),
    JoinOnEverySharedColumn(),
    JoinOnRowNumbers(),
    LookupByRowNumber(),
    LookupTableRepeatsKeys(),
    RowsStackedTwice(),
    SuffixesNameTheOtherSide(),
    UnmatchedRowsThenSummed(),
    ComparedByLastDigits(),
    ComparedSpellingVariants(),
    ComparedWithAnotherType(),
    ComparedWithMidnight(),
    ComparedWithMissing(),
    ConditionsExcludeEachOther(),
    FractionsCutOff(),
    IntegersWrapAround(),
    InvertedNumbers(),
    LookedUpInTheIndex(),
    MaskPrecedence(),
    MissingIsNotNone(),
    NumbersOrderedAsText(),
    PatternReadOtherwise(),
    PercentAsFraction(),
    ReplaceOfWholeValues(),
    SearchMissesCase(),
    SharesLeaveOutMissing(),
    SpellingsCountedApart(),
    StripEatsLetters(),
    TextIsTrue(),
    TextMethodLosesValues(),
    UnitsStripped(),
    WholeNumbersWithPoint(),
    ResultNotKept(),
    WriteReachesCopy(),
    BirthsInTheFuture(),
    DatesInOrderOfLetters(),
    DatesLeftAsText(),
    DayAndMonthSwapped(),
    DurationWithoutItsDays(),
    HoursMovedByClockChange(),
    LastDayCut(),
    MinutesForMonths(),
    NewIndexMissesTimes(),
    PartOfPeriodCompared(),
    RowsCountedAsPeriods(),
    RowsNotInOrderOfTime(),
    TimeUnitMissed(),
    TimesCountedAsDays(),
    UtcDaysAsLocalDays(),
    WeekWithoutItsYear(),
    YearsMixedInMonths(),
    YearsOf365Days(),
    BadLinesSkipped(),
    ColumnMixesNumbersAndText(),
    ColumnNameTwice(),
    ColumnsShifted(),
    DatesReadSwapped(),
    HeaderRowMisplaced(),
    IdentifiersReadAsNumbers(),
    NumbersLeftAsText(),
    QuoteSwallowsRows(),
    ReadInWrongEncoding(),
    RowNumbersReadAsColumn(),
    RowsLeftUnread(),
    ThousandsReadAsDecimals(),
    TotalRowAmongData(),
    UsecolsOrderIgnored(),
    ValuesLostInConstructor(),
    WordsReadAsMissing(),
    RowsOfSeveralGroups(),
    RowsNotSortedByDate(),
    MarkersAveraged(),
    GapsFilledWithZero(),
    MeanOfRatios(),
    TotalsAmongRows(),
    PivotTakesMeans(),
    LabelPicksSeveralRows(),
    TiesLeftOut(),
    CountedOneOff(),
    FirstOrLastSkipped(),
    TopWithoutOrder(),
    LastRowIsNotLatest(),
    BinsLoseValues(),
    NothingAveraged(),
    InfiniteValues(),
    WarnedOfWrongNumbers(),
    ColumnsShareAName(),
    ApplyReturnsNothing(),
    WrongEndTaken(),
    OrderLost(),
    AliasIsNoCopy(),
    BinsContradictLabels(),
    PartsDoNotFit(),
    MeanOfMeans(),
)

_WEIGHT = {Severity.MUST: 0, Severity.MAY: 1, Severity.NOTE: 2}


def check_all(
    run: Run, checks: Sequence[Check] = CHECKS, ignore: Collection[str] = (), goal: str = ""
) -> list[Finding]:
    """What all checks find and nobody has silenced: musts first, then by line.

    A check that fails itself is a note, and the others go on.

    Parameters
    ----------
    ignore
        Checks that are silenced in every cell. What failed cannot be silenced.
    goal
        What the cell is for, in the analyst's words.
    """
    run = replace(run, goal=goal or run.goal)
    findings: list[Finding] = []
    silence = Silence(run.cell, ignore)
    for check in checks:
        try:
            findings += (f for f in check.check(run) if check.of_failure or not silence.covers(f))
        except Exception as error:  # noqa: BLE001 - a broken check must not break the cell
            message = f"the check `{check.code}` failed ({type(error).__name__}) and was left out"
            findings.append(Finding(check.code, Severity.NOTE, None, "", message))
    findings += silence.unknown([check.code for check in checks if not check.of_failure])
    return sorted(findings, key=_place)


def applying(library: str) -> int:
    """How many checks work on frames of a library, or whatever the data are."""
    return sum(not check.frames or library in check.frames for check in CHECKS)


def _place(finding: Finding) -> tuple[int, int, int]:
    line, column = (finding.span.line, finding.span.column) if finding.span else (0, 0)
    return _WEIGHT[finding.severity], line, column


__all__ = ["CHECKS", "Check", "applying", "check_all"]
