"""The rules, in the order in which they are asked."""

from __future__ import annotations

from reflex_magic.repairs.accessor_missing import AccessorMissing
from reflex_magic.repairs.alias_is_no_copy import AliasIsNoCopy
from reflex_magic.repairs.apply_returns_nothing import ApplyReturnsNothing
from reflex_magic.repairs.asof_meets_wrong_rows import AsofMeetsWrongRows
from reflex_magic.repairs.asof_not_sorted import AsofNotSorted
from reflex_magic.repairs.assignment_for_comparison import AssignmentForComparison
from reflex_magic.repairs.beyond_nanoseconds import BeyondNanoseconds
from reflex_magic.repairs.bins_and_labels import BinsAndLabels
from reflex_magic.repairs.bins_contradict_labels import BinsContradictLabels
from reflex_magic.repairs.bins_lose_values import BinsLoseValues
from reflex_magic.repairs.bins_not_in_order import BinsNotInOrder
from reflex_magic.repairs.births_in_the_future import BirthsInTheFuture
from reflex_magic.repairs.bracket_not_balanced import BracketNotBalanced
from reflex_magic.repairs.category_not_listed import CategoryNotListed
from reflex_magic.repairs.chained_assignment import ChainedAssignment
from reflex_magic.repairs.characters_read_as_pattern import CharactersReadAsPattern
from reflex_magic.repairs.clock_change import ClockChange
from reflex_magic.repairs.code_in_fences import CodeInFences
from reflex_magic.repairs.colon_missing import ColonMissing
from reflex_magic.repairs.column_hidden_by_method import ColumnHiddenByMethod
from reflex_magic.repairs.column_mixes_numbers_and_text import ColumnMixesNumbersAndText
from reflex_magic.repairs.column_type_in_file import ColumnTypeInFile
from reflex_magic.repairs.columns_of_several_levels import ColumnsOfSeveralLevels
from reflex_magic.repairs.columns_shifted import ColumnsShifted
from reflex_magic.repairs.columns_without_list import ColumnsWithoutList
from reflex_magic.repairs.comma_between_texts import CommaBetweenTexts
from reflex_magic.repairs.compared_by_last_digits import ComparedByLastDigits
from reflex_magic.repairs.compared_spelling_variants import ComparedSpellingVariants
from reflex_magic.repairs.compared_with_another_type import ComparedWithAnotherType
from reflex_magic.repairs.compared_with_midnight import ComparedWithMidnight
from reflex_magic.repairs.compared_with_missing import ComparedWithMissing
from reflex_magic.repairs.comparison_without_brackets import ComparisonWithoutBrackets
from reflex_magic.repairs.concat_columns_spelled_differently import ConcatColumnsSpelledDifferently
from reflex_magic.repairs.concat_mixes_numbers_and_text import ConcatMixesNumbersAndText
from reflex_magic.repairs.concat_repeats_labels import ConcatRepeatsLabels
from reflex_magic.repairs.concat_without_list import ConcatWithoutList
from reflex_magic.repairs.condition_on_whole_column import ConditionOnWholeColumn
from reflex_magic.repairs.conditions_exclude_each_other import ConditionsExcludeEachOther
from reflex_magic.repairs.counted_one_off import CountedOneOff
from reflex_magic.repairs.currency_text import CurrencyText
from reflex_magic.repairs.date_beside_timestamp import DateBesideTimestamp
from reflex_magic.repairs.date_format import DateFormat
from reflex_magic.repairs.dates_as_text import DatesAsText
from reflex_magic.repairs.dates_in_order_of_letters import DatesInOrderOfLetters
from reflex_magic.repairs.dates_left_as_text import DatesLeftAsText
from reflex_magic.repairs.dates_plus_numbers import DatesPlusNumbers
from reflex_magic.repairs.dates_read_swapped import DatesReadSwapped
from reflex_magic.repairs.day_and_month_swapped import DayAndMonthSwapped
from reflex_magic.repairs.dropped_without_axis import DroppedWithoutAxis
from reflex_magic.repairs.duplicates_by_part_of_row import DuplicatesByPartOfRow
from reflex_magic.repairs.duration_as_text import DurationAsText
from reflex_magic.repairs.duration_without_its_days import DurationWithoutItsDays
from reflex_magic.repairs.epoch_unit import EpochUnit
from reflex_magic.repairs.file_encoding import FileEncoding
from reflex_magic.repairs.file_name_slip import FileNameSlip
from reflex_magic.repairs.file_of_another_kind import FileOfAnotherKind
from reflex_magic.repairs.first_or_last_skipped import FirstOrLastSkipped
from reflex_magic.repairs.float_for_whole_number import FloatForWholeNumber
from reflex_magic.repairs.fractions_cut_off import FractionsCutOff
from reflex_magic.repairs.frame_of_single_values import FrameOfSingleValues
from reflex_magic.repairs.frequency_alias import FrequencyAlias
from reflex_magic.repairs.gaps_filled_with_zero import GapsFilledWithZero
from reflex_magic.repairs.group_key_inside_apply import GroupKeyInsideApply
from reflex_magic.repairs.group_keys_spelled_apart import GroupKeysSpelledApart
from reflex_magic.repairs.group_result_beside_rows import GroupResultBesideRows
from reflex_magic.repairs.header_row_misplaced import HeaderRowMisplaced
from reflex_magic.repairs.hours_moved_by_clock_change import HoursMovedByClockChange
from reflex_magic.repairs.identifiers_read_as_numbers import IdentifiersReadAsNumbers
from reflex_magic.repairs.indentation_slip import IndentationSlip
from reflex_magic.repairs.index_name_taken import IndexNameTaken
from reflex_magic.repairs.index_not_sorted import IndexNotSorted
from reflex_magic.repairs.infinite_values import InfiniteValues
from reflex_magic.repairs.inner_join_loses_rows import InnerJoinLosesRows
from reflex_magic.repairs.inplace_gives_none import InplaceGivesNone
from reflex_magic.repairs.integers_with_missing import IntegersWithMissing
from reflex_magic.repairs.integers_wrap_around import IntegersWrapAround
from reflex_magic.repairs.inverted_numbers import InvertedNumbers
from reflex_magic.repairs.isin_misses_values import IsinMissesValues
from reflex_magic.repairs.join_keys_spelled_differently import JoinKeysSpelledDifferently
from reflex_magic.repairs.join_loses_rows import JoinLosesRows
from reflex_magic.repairs.join_multiplies_rows import JoinMultipliesRows
from reflex_magic.repairs.join_on_every_shared_column import JoinOnEverySharedColumn
from reflex_magic.repairs.join_on_row_numbers import JoinOnRowNumbers
from reflex_magic.repairs.json_lines import JsonLines
from reflex_magic.repairs.json_numpy_values import JsonNumpyValues
from reflex_magic.repairs.label_picks_several_rows import LabelPicksSeveralRows
from reflex_magic.repairs.last_day_cut import LastDayCut
from reflex_magic.repairs.last_row_is_not_latest import LastRowIsNotLatest
from reflex_magic.repairs.lines_around_table import LinesAroundTable
from reflex_magic.repairs.localize_or_convert import LocalizeOrConvert
from reflex_magic.repairs.looked_up_in_the_index import LookedUpInTheIndex
from reflex_magic.repairs.lookup_by_row_number import LookupByRowNumber
from reflex_magic.repairs.lookup_table_repeats_keys import LookupTableRepeatsKeys
from reflex_magic.repairs.markers_averaged import MarkersAveraged
from reflex_magic.repairs.mask_of_another_frame import MaskOfAnotherFrame
from reflex_magic.repairs.mask_precedence import MaskPrecedence
from reflex_magic.repairs.mask_with_missing import MaskWithMissing
from reflex_magic.repairs.mean_of_means import MeanOfMeans
from reflex_magic.repairs.mean_of_ratios import MeanOfRatios
from reflex_magic.repairs.merge_key_in_index import MergeKeyInIndex
from reflex_magic.repairs.merge_key_named_differently import MergeKeyNamedDifferently
from reflex_magic.repairs.merge_key_types import MergeKeyTypes
from reflex_magic.repairs.merge_of_repeats import MergeOfRepeats
from reflex_magic.repairs.merge_of_unnamed_series import MergeOfUnnamedSeries
from reflex_magic.repairs.merge_suffixes import MergeSuffixes
from reflex_magic.repairs.method_not_called import MethodNotCalled
from reflex_magic.repairs.minutes_for_months import MinutesForMonths
from reflex_magic.repairs.missing_folder import MissingFolder
from reflex_magic.repairs.missing_group_keys import MissingGroupKeys
from reflex_magic.repairs.missing_import import MissingImport
from reflex_magic.repairs.missing_in_text_function import MissingInTextFunction
from reflex_magic.repairs.missing_is_not_none import MissingIsNotNone
from reflex_magic.repairs.misspelt_member import MisspeltMember
from reflex_magic.repairs.misspelt_name import MisspeltName
from reflex_magic.repairs.mixed_number_sort import MixedNumberSort
from reflex_magic.repairs.mixed_utc_offsets import MixedUtcOffsets
from reflex_magic.repairs.na_text_read_as_missing import NaTextReadAsMissing
from reflex_magic.repairs.naive_against_aware import NaiveAgainstAware
from reflex_magic.repairs.name_in_query import NameInQuery
from reflex_magic.repairs.name_of_index import NameOfIndex
from reflex_magic.repairs.names_for_positions import NamesForPositions
from reflex_magic.repairs.near_miss_column import NearMissColumn
from reflex_magic.repairs.near_miss_level import NearMissLevel
from reflex_magic.repairs.new_index_misses_times import NewIndexMissesTimes
from reflex_magic.repairs.number_beside_text import NumberBesideText
from reflex_magic.repairs.number_too_large_for_type import NumberTooLargeForType
from reflex_magic.repairs.numbers_as_text import NumbersAsText
from reflex_magic.repairs.numbers_joined import NumbersJoined
from reflex_magic.repairs.numbers_left_as_text import NumbersLeftAsText
from reflex_magic.repairs.numbers_ordered_as_text import NumbersOrderedAsText
from reflex_magic.repairs.numbers_without_text_accessor import NumbersWithoutTextAccessor
from reflex_magic.repairs.order_lost import OrderLost
from reflex_magic.repairs.part_of_period_compared import PartOfPeriodCompared
from reflex_magic.repairs.parts_do_not_fit import PartsDoNotFit
from reflex_magic.repairs.pattern_finds_no_file import PatternFindsNoFile
from reflex_magic.repairs.pattern_read_otherwise import PatternReadOtherwise
from reflex_magic.repairs.pattern_taken_literally import PatternTakenLiterally
from reflex_magic.repairs.percent_as_fraction import PercentAsFraction
from reflex_magic.repairs.period_beside_timestamp import PeriodBesideTimestamp
from reflex_magic.repairs.pivot_takes_means import PivotTakesMeans
from reflex_magic.repairs.print_statement import PrintStatement
from reflex_magic.repairs.quote_swallows_rows import QuoteSwallowsRows
from reflex_magic.repairs.quotes_in_f_string import QuotesInFString
from reflex_magic.repairs.read_in_wrong_encoding import ReadInWrongEncoding
from reflex_magic.repairs.read_only_values import ReadOnlyValues
from reflex_magic.repairs.removed_argument import RemovedArgument
from reflex_magic.repairs.removed_method import RemovedMethod
from reflex_magic.repairs.removed_name import RemovedName
from reflex_magic.repairs.renamed_before import RenamedBefore
from reflex_magic.repairs.repeated_column import RepeatedColumn
from reflex_magic.repairs.repeats_in_pivot import RepeatsInPivot
from reflex_magic.repairs.replace_of_whole_values import ReplaceOfWholeValues
from reflex_magic.repairs.result_not_kept import ResultNotKept
from reflex_magic.repairs.result_not_named import ResultNotNamed
from reflex_magic.repairs.row_numbers_read_as_column import RowNumbersReadAsColumn
from reflex_magic.repairs.rows_counted_as_periods import RowsCountedAsPeriods
from reflex_magic.repairs.rows_do_not_line_up import RowsDoNotLineUp
from reflex_magic.repairs.rows_left_unread import RowsLeftUnread
from reflex_magic.repairs.rows_not_in_order_of_time import RowsNotInOrderOfTime
from reflex_magic.repairs.rows_not_sorted_by_date import RowsNotSortedByDate
from reflex_magic.repairs.rows_of_several_groups import RowsOfSeveralGroups
from reflex_magic.repairs.rows_stacked_twice import RowsStackedTwice
from reflex_magic.repairs.rule import Repair
from reflex_magic.repairs.search_misses_case import SearchMissesCase
from reflex_magic.repairs.serials_among_dates import SerialsAmongDates
from reflex_magic.repairs.shares_leave_out_missing import SharesLeaveOutMissing
from reflex_magic.repairs.sheet_name_slip import SheetNameSlip
from reflex_magic.repairs.sort_with_missing import SortWithMissing
from reflex_magic.repairs.spellings_counted_apart import SpellingsCountedApart
from reflex_magic.repairs.spellings_missed import SpellingsMissed
from reflex_magic.repairs.stray_quote import StrayQuote
from reflex_magic.repairs.strip_removes_letters import StripRemovesLetters
from reflex_magic.repairs.strptime_format import StrptimeFormat
from reflex_magic.repairs.suffixes_name_the_other_side import SuffixesNameTheOtherSide
from reflex_magic.repairs.surplus_fields import SurplusFields
from reflex_magic.repairs.text_in_statistic import TextInStatistic
from reflex_magic.repairs.text_is_true import TextIsTrue
from reflex_magic.repairs.text_method_loses_values import TextMethodLosesValues
from reflex_magic.repairs.text_mixed_with_missing import TextMixedWithMissing
from reflex_magic.repairs.text_not_closed import TextNotClosed
from reflex_magic.repairs.text_saved_as_excel import TextSavedAsExcel
from reflex_magic.repairs.thousands_read_as_decimals import ThousandsReadAsDecimals
from reflex_magic.repairs.ties_left_out import TiesLeftOut
from reflex_magic.repairs.time_index_missing import TimeIndexMissing
from reflex_magic.repairs.time_unit_missed import TimeUnitMissed
from reflex_magic.repairs.time_units_differ import TimeUnitsDiffer
from reflex_magic.repairs.times_counted_as_days import TimesCountedAsDays
from reflex_magic.repairs.top_without_order import TopWithoutOrder
from reflex_magic.repairs.total_row_among_data import TotalRowAmongData
from reflex_magic.repairs.totals_among_rows import TotalsAmongRows
from reflex_magic.repairs.typographic_characters import TypographicCharacters
from reflex_magic.repairs.usecols_order_ignored import UsecolsOrderIgnored
from reflex_magic.repairs.utc_days_as_local_days import UtcDaysAsLocalDays
from reflex_magic.repairs.value_called import ValueCalled
from reflex_magic.repairs.value_counts_columns import ValueCountsColumns
from reflex_magic.repairs.value_does_not_fit_column import ValueDoesNotFitColumn
from reflex_magic.repairs.values_for_database import ValuesForDatabase
from reflex_magic.repairs.values_lost_in_constructor import ValuesLostInConstructor
from reflex_magic.repairs.week_without_its_year import WeekWithoutItsYear
from reflex_magic.repairs.whole_numbers_with_point import WholeNumbersWithPoint
from reflex_magic.repairs.words_read_as_missing import WordsReadAsMissing
from reflex_magic.repairs.write_reaches_copy import WriteReachesCopy
from reflex_magic.repairs.wrong_end_taken import WrongEndTaken
from reflex_magic.repairs.wrong_separator import WrongSeparator
from reflex_magic.repairs.years_mixed_in_months import YearsMixedInMonths
from reflex_magic.repairs.years_of_365_days import YearsOf365Days

REPAIRS: tuple[type[Repair], ...] = (
    CodeInFences,
    TypographicCharacters,
    BracketNotBalanced,
    ColonMissing,
    PrintStatement,
    TextNotClosed,
    IndentationSlip,
    AssignmentForComparison,
    QuotesInFString,
    RemovedMethod,
    RemovedName,
    RemovedArgument,
    FrequencyAlias,
    ValueCountsColumns,
    MissingImport,
    FileOfAnotherKind,
    JsonLines,
    FileEncoding,
    WrongSeparator,
    LinesAroundTable,
    StrayQuote,
    SurplusFields,
    ColumnTypeInFile,
    SheetNameSlip,
    PatternFindsNoFile,
    MissingFolder,
    TextSavedAsExcel,
    NaTextReadAsMissing,
    MergeKeyNamedDifferently,
    MergeKeyTypes,
    MergeKeyInIndex,
    MergeOfRepeats,
    MergeOfUnnamedSeries,
    MergeSuffixes,
    ResultNotNamed,
    MisspeltName,
    AccessorMissing,
    MisspeltMember,
    RenamedBefore,
    NameInQuery,
    NameOfIndex,
    ColumnsOfSeveralLevels,
    DroppedWithoutAxis,
    ColumnHiddenByMethod,
    NearMissLevel,
    NearMissColumn,
    GroupKeyInsideApply,
    PatternTakenLiterally,
    CharactersReadAsPattern,
    CurrencyText,
    NumbersAsText,
    MixedUtcOffsets,
    SerialsAmongDates,
    DateFormat,
    StrptimeFormat,
    DurationAsText,
    DatesAsText,
    TimeIndexMissing,
    DateBesideTimestamp,
    PeriodBesideTimestamp,
    EpochUnit,
    DatesPlusNumbers,
    NaiveAgainstAware,
    LocalizeOrConvert,
    ClockChange,
    BeyondNanoseconds,
    TimeUnitsDiffer,
    IntegersWithMissing,
    ValueDoesNotFitColumn,
    NumbersWithoutTextAccessor,
    TextInStatistic,
    CategoryNotListed,
    TextMixedWithMissing,
    SortWithMissing,
    MixedNumberSort,
    MissingInTextFunction,
    ConditionOnWholeColumn,
    ComparisonWithoutBrackets,
    MaskWithMissing,
    ValueCalled,
    MethodNotCalled,
    ConcatWithoutList,
    InplaceGivesNone,
    ColumnsWithoutList,
    FrameOfSingleValues,
    NamesForPositions,
    AsofNotSorted,
    RepeatsInPivot,
    BinsNotInOrder,
    FloatForWholeNumber,
    NumberBesideText,
    NumberTooLargeForType,
    ValuesForDatabase,
    CommaBetweenTexts,
    MaskOfAnotherFrame,
    IndexNotSorted,
    IndexNameTaken,
    BinsAndLabels,
    ReadOnlyValues,
    RepeatedColumn,
    JsonNumpyValues,
    MissingGroupKeys,
    GroupResultBesideRows,
    SpellingsMissed,
    NumbersJoined,
    ChainedAssignment,
    StripRemovesLetters,
    InnerJoinLosesRows,
    SearchMissesCase,
    PatternReadOtherwise,
    ReplaceOfWholeValues,
    TextIsTrue,
    TextMethodLosesValues,
    WholeNumbersWithPoint,
    SpellingsCountedApart,
    ComparedSpellingVariants,
    ComparedWithAnotherType,
    ComparedWithMidnight,
    ComparedWithMissing,
    ConditionsExcludeEachOther,
    FractionsCutOff,
    IntegersWrapAround,
    InvertedNumbers,
    LookedUpInTheIndex,
    MaskPrecedence,
    MissingIsNotNone,
    PercentAsFraction,
    RowsOfSeveralGroups,
    RowsNotSortedByDate,
    RowsNotInOrderOfTime,
    RowsCountedAsPeriods,
    LastRowIsNotLatest,
    TopWithoutOrder,
    WrongEndTaken,
    TiesLeftOut,
    LastDayCut,
    DurationWithoutItsDays,
    HoursMovedByClockChange,
    MinutesForMonths,
    WeekWithoutItsYear,
    YearsMixedInMonths,
    TimesCountedAsDays,
    TimeUnitMissed,
    DayAndMonthSwapped,
    BirthsInTheFuture,
    PartOfPeriodCompared,
    NewIndexMissesTimes,
    UtcDaysAsLocalDays,
    ResultNotKept,
    JoinMultipliesRows,
    JoinKeysSpelledDifferently,
    JoinLosesRows,
    JoinOnEverySharedColumn,
    JoinOnRowNumbers,
    LookupByRowNumber,
    IsinMissesValues,
    SuffixesNameTheOtherSide,
    AsofMeetsWrongRows,
    ConcatRepeatsLabels,
    LabelPicksSeveralRows,
    ConcatColumnsSpelledDifferently,
    ConcatMixesNumbersAndText,
    RowsStackedTwice,
    DuplicatesByPartOfRow,
    RowsDoNotLineUp,
    OrderLost,
    AliasIsNoCopy,
    BinsLoseValues,
    BinsContradictLabels,
    CountedOneOff,
    FirstOrLastSkipped,
    PartsDoNotFit,
    PivotTakesMeans,
    SharesLeaveOutMissing,
    GapsFilledWithZero,
    MeanOfRatios,
    MeanOfMeans,
    MarkersAveraged,
    InfiniteValues,
    TotalsAmongRows,
    ApplyReturnsNothing,
    ValuesLostInConstructor,
    IdentifiersReadAsNumbers,
    WordsReadAsMissing,
    ColumnsShifted,
    RowNumbersReadAsColumn,
    RowsLeftUnread,
    UsecolsOrderIgnored,
    QuoteSwallowsRows,
    ReadInWrongEncoding,
    HeaderRowMisplaced,
    ThousandsReadAsDecimals,
    NumbersLeftAsText,
    DatesLeftAsText,
    DatesReadSwapped,
    TotalRowAmongData,
    ColumnMixesNumbersAndText,
    NumbersOrderedAsText,
    DatesInOrderOfLetters,
    WriteReachesCopy,
    ComparedByLastDigits,
    LookupTableRepeatsKeys,
    YearsOf365Days,
    GroupKeysSpelledApart,
    FileNameSlip,
)
"""More special rules come before more general ones."""
