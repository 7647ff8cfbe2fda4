"""The rules, in the order in which they are asked."""

from __future__ import annotations

from reflex_magic.repairs.bins_and_labels import BinsAndLabels
from reflex_magic.repairs.category_not_listed import CategoryNotListed
from reflex_magic.repairs.chained_assignment import ChainedAssignment
from reflex_magic.repairs.characters_read_as_pattern import CharactersReadAsPattern
from reflex_magic.repairs.currency_text import CurrencyText
from reflex_magic.repairs.date_format import DateFormat
from reflex_magic.repairs.dates_as_text import DatesAsText
from reflex_magic.repairs.dates_plus_numbers import DatesPlusNumbers
from reflex_magic.repairs.epoch_unit import EpochUnit
from reflex_magic.repairs.file_encoding import FileEncoding
from reflex_magic.repairs.file_name_slip import FileNameSlip
from reflex_magic.repairs.frequency_alias import FrequencyAlias
from reflex_magic.repairs.group_key_inside_apply import GroupKeyInsideApply
from reflex_magic.repairs.group_result_beside_rows import GroupResultBesideRows
from reflex_magic.repairs.index_name_taken import IndexNameTaken
from reflex_magic.repairs.index_not_sorted import IndexNotSorted
from reflex_magic.repairs.inner_join_loses_rows import InnerJoinLosesRows
from reflex_magic.repairs.integers_with_missing import IntegersWithMissing
from reflex_magic.repairs.json_numpy_values import JsonNumpyValues
from reflex_magic.repairs.lines_around_table import LinesAroundTable
from reflex_magic.repairs.mask_of_another_frame import MaskOfAnotherFrame
from reflex_magic.repairs.merge_key_named_differently import MergeKeyNamedDifferently
from reflex_magic.repairs.merge_key_types import MergeKeyTypes
from reflex_magic.repairs.merge_suffixes import MergeSuffixes
from reflex_magic.repairs.missing_group_keys import MissingGroupKeys
from reflex_magic.repairs.missing_import import MissingImport
from reflex_magic.repairs.missing_in_text_function import MissingInTextFunction
from reflex_magic.repairs.mixed_number_sort import MixedNumberSort
from reflex_magic.repairs.mixed_utc_offsets import MixedUtcOffsets
from reflex_magic.repairs.na_text_read_as_missing import NaTextReadAsMissing
from reflex_magic.repairs.naive_against_aware import NaiveAgainstAware
from reflex_magic.repairs.near_miss_column import NearMissColumn
from reflex_magic.repairs.numbers_as_text import NumbersAsText
from reflex_magic.repairs.numbers_joined import NumbersJoined
from reflex_magic.repairs.numbers_without_text_accessor import NumbersWithoutTextAccessor
from reflex_magic.repairs.pattern_taken_literally import PatternTakenLiterally
from reflex_magic.repairs.read_only_values import ReadOnlyValues
from reflex_magic.repairs.removed_argument import RemovedArgument
from reflex_magic.repairs.removed_method import RemovedMethod
from reflex_magic.repairs.removed_name import RemovedName
from reflex_magic.repairs.repeated_column import RepeatedColumn
from reflex_magic.repairs.rule import Repair
from reflex_magic.repairs.sort_with_missing import SortWithMissing
from reflex_magic.repairs.spellings_missed import SpellingsMissed
from reflex_magic.repairs.stray_quote import StrayQuote
from reflex_magic.repairs.strip_removes_letters import StripRemovesLetters
from reflex_magic.repairs.text_in_statistic import TextInStatistic
from reflex_magic.repairs.text_mixed_with_missing import TextMixedWithMissing
from reflex_magic.repairs.text_saved_as_excel import TextSavedAsExcel
from reflex_magic.repairs.time_units_differ import TimeUnitsDiffer
from reflex_magic.repairs.value_counts_columns import ValueCountsColumns
from reflex_magic.repairs.value_does_not_fit_column import ValueDoesNotFitColumn
from reflex_magic.repairs.wrong_separator import WrongSeparator

REPAIRS: tuple[type[Repair], ...] = (
    RemovedMethod,
    RemovedName,
    RemovedArgument,
    FrequencyAlias,
    ValueCountsColumns,
    MissingImport,
    FileEncoding,
    WrongSeparator,
    LinesAroundTable,
    StrayQuote,
    TextSavedAsExcel,
    NaTextReadAsMissing,
    MergeKeyNamedDifferently,
    MergeKeyTypes,
    MergeSuffixes,
    NearMissColumn,
    GroupKeyInsideApply,
    PatternTakenLiterally,
    CharactersReadAsPattern,
    CurrencyText,
    NumbersAsText,
    MixedUtcOffsets,
    DateFormat,
    DatesAsText,
    EpochUnit,
    DatesPlusNumbers,
    NaiveAgainstAware,
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
    FileNameSlip,
)
"""More special rules come before more general ones."""
