"""Names of methods and functions of pandas and NumPy, and the one that a failure is about."""

from __future__ import annotations

import ast

from reflex_magic.core.ports import Context
from reflex_magic.repairs import syntax


def missing(context: Context) -> ast.Attribute | None:
    """The member in the failing expression that does not exist; None where the failure is another."""
    failure, node = context.failure, syntax.failing(context)
    if failure is None or not failure.is_a("AttributeError"):
        return None
    if isinstance(node, ast.Call):
        node = node.func
    if isinstance(node, ast.Attribute) and f"no attribute '{node.attr}'" in failure.evalue:
        return node
    return None


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


OF_DATA = _words(
    """
    add_prefix add_suffix agg aggregate align any apply assign astype between bfill clip columns combine_first
    copy corr count cov cummax cummin cumprod cumsum describe diff drop drop_duplicates droplevel dropna
    duplicated dtypes empty eval expanding explode ffill fillna filter first_valid_index get_group groupby head
    hist idxmax idxmin iloc index infer_objects info insert interpolate isin isna isnull items iterrows
    itertuples join kurtosis last_valid_index mask max mean median melt memory_usage merge min mode nlargest
    notna notnull nsmallest nunique pct_change pipe pivot pivot_table plot prod quantile query rank reindex
    rename rename_axis replace resample reset_index rolling round sample select_dtypes set_axis set_index shape
    shift skew sort_index sort_values squeeze stack std sum swaplevel tail to_csv to_dict to_excel to_frame
    to_json to_list to_numpy to_parquet to_period to_sql to_string transform transpose truncate tz_convert
    tz_localize unique unstack update value_counts values var where
    """
)
"""Members of frames, series and groups that people use."""

OF_TEXT = _words(
    """
    capitalize casefold cat center contains count decode encode endswith extract extractall find findall
    fullmatch get index isalnum isalpha isdecimal isdigit islower isnumeric isspace istitle isupper join len
    ljust lower lstrip match normalize pad partition removeprefix removesuffix repeat replace rfind rjust
    rpartition rsplit rstrip slice split startswith strip swapcase title translate upper zfill
    """
)
"""What `str` has."""

OF_DATES = _words(
    """
    ceil date day day_name day_of_week day_of_year dayofweek dayofyear days floor hour is_leap_year is_month_end
    is_month_start is_quarter_end is_year_end isocalendar microsecond minute month month_name normalize quarter
    round second seconds strftime time to_period to_pydatetime total_seconds tz_convert tz_localize weekday year
    """
)
"""What `dt` has."""

OF_PANDAS = _words(
    """
    Categorical DataFrame DateOffset DatetimeIndex ExcelFile ExcelWriter Grouper Index IntervalIndex MultiIndex
    NamedAgg Period PeriodIndex RangeIndex Series Timedelta Timestamp bdate_range concat crosstab cut date_range
    factorize get_dummies isna isnull json_normalize melt merge merge_asof merge_ordered notna notnull
    option_context period_range pivot pivot_table qcut read_csv read_excel read_feather read_html read_json
    read_parquet read_pickle read_sql read_sql_query read_table set_option timedelta_range to_datetime
    to_numeric to_timedelta unique wide_to_long
    """
)
"""Functions and classes of pandas that people use."""

OF_NUMPY = _words(
    """
    absolute allclose append arange argmax argmin argsort around array array_equal asarray average bincount ceil
    clip column_stack concatenate corrcoef cumsum datetime64 diff digitize divide dot empty exp float32 float64
    floor full histogram hstack int32 int64 interp isclose isfinite isin isinf isnan linspace log log10 log1p
    logical_and logical_not logical_or maximum mean median minimum nanmax nanmean nanmedian nanmin nanstd nansum
    ones percentile polyfit prod quantile random ravel repeat reshape round searchsorted select sign sort split
    sqrt square stack std sum tile timedelta64 transpose unique var vstack where zeros zeros_like
    """
)
"""Functions of NumPy that people use."""
