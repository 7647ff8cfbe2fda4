"""The estimate is an upper bound; the counts were made with cl100k_base and o200k_base, the larger one counts."""

from __future__ import annotations

import pytest

from reflex_magic.reflector.tokens import estimate, estimate_messages

COUNTED = [
    ("total = orders.groupby('region')['amount'].sum().reset_index(name='total_amount')", 18),
    ("df['amount'] = df['amount'].str.replace('[$,]', '', regex=True).astype(float)", 22),
    ("assert by_region['order_count'].sum() == len(orders), 'rows are missing'", 19),
    ("with open('result.json', 'w', encoding='utf-8') as f:\n    json.dump(summary, f, indent=2)", 29),
    ("KeyError: \"None of [Index(['Revenue'], dtype='str')] are in the [columns]\"", 21),
    ("orders: DataFrame, 1234567 rows, 42 columns; 'order_date' datetime64[ns, UTC], 17 missing", 29),
    ("The grouped counts do not add up to the number of rows because the key is missing in some of them.", 22),
    ("SELECT REGION_CODE, SUM(Q3_FY24_AMT_USD) FROM TBL_CUST_ORDR_XREF GROUP BY 1", 29),
    ("2024-03-05T12:30:00+01:00, 1,299.00, 4711, 0x9f8a7b6c", 39),
    ("数据框中没有名为收入的列，请检查列名是否正确。订单编号、地区、金额", 26),
    ("売上データの列名が見つかりません。金額を数値に変換できませんでした。", 38),
    ("매출 데이터에서 열 이름을 찾을 수 없습니다. 금액을 숫자로 변환하지 못했습니다", 32),
    ("Не удалось преобразовать строку в число с плавающей точкой", 22),
    ("Lieferantenrechnungsübersicht nach Straße und Größe", 15),
    ("تعذر تحويل السلسلة إلى رقم عشري في العمود", 28),
    ("😀📊🚀✅", 10),
]


@pytest.mark.parametrize(("text", "counted"), COUNTED)
def test_the_estimate_is_an_upper_bound_and_not_a_wild_one(text: str, counted: int) -> None:
    assert counted <= estimate(text) <= 3 * counted


def test_the_estimate_of_a_whole_does_not_exceed_that_of_its_parts_by_lines() -> None:
    lines = [text for text, _ in COUNTED]
    assert estimate("\n".join(lines)) <= sum(estimate(line) + 1 for line in lines)


def test_nothing_is_nothing_and_messages_have_a_frame() -> None:
    assert estimate("") == 0
    assert estimate_messages([{"role": "user", "content": "hi"}]) > estimate("hi")
