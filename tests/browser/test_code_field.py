"""The field for a code on the start page: what people paste into it, and what is told when it is none."""

import pytest

from tests.browser.visitor import PHONE, Enter


@pytest.mark.parametrize(
    "pasted", ["({code})", "Code: {half} {rest}", "\u201c{low}\u201d.", "{link}. See you!", "\u200b{link}\u2069"]
)
async def test_a_pasted_code_or_link_leads_to_its_table(come: Enter, pasted: str) -> None:
    ana, bo = await come("Ana"), await come("Bo", viewport=PHONE)
    link = await ana.open_table(2)
    code = link.rpartition("/")[2]
    await bo.open_home()
    await bo.page.fill("#name", "Bo")
    await bo.page.fill("#code", pasted.format(code=code, low=code.lower(), half=code[:4], rest=code[4:], link=link))
    await bo.page.click("#join-go")
    await bo.page.wait_for_selector("#seats > li")
    assert bo.page.url == link


async def test_what_holds_no_code_stays_and_is_told_in_the_language_of_the_page(come: Enter) -> None:
    ana = await come("Ana", locale="da")
    await ana.open_home()
    await ana.page.fill("#name", "Ana")
    await ana.page.fill("#code", "Vi ses i aften!")
    await ana.page.click("#join-go")
    await ana.page.wait_for_selector("#join-trouble:visible")
    assert await ana.page.inner_text("#join-trouble") == "En kode har otte bogstaver og tal, for eksempel 7K3M 9XQ2."
    assert await ana.page.input_value("#code") == "Vi ses i aften!"


async def test_a_long_name_is_not_cut_but_refused(come: Enter) -> None:
    ana = await come("Ana", locale="it")
    await ana.open_home()
    family = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
    for name in ("x" * 300, family * 25):
        await ana.page.fill("#name", name)
        await ana.page.click("#create-go")
        await ana.page.wait_for_selector("#create-trouble:has-text('24')")
        assert await ana.page.input_value("#name") == name
    assert all("400 (Bad Request)" in error for error in ana.errors), "the browser itself tells of refusals"
    ana.errors.clear()
    await ana.page.fill("#name", family * 24)
    await ana.page.click("#create-go")
    await ana.page.wait_for_selector("#seats > li")
    assert family * 24 in await ana.page.inner_text(".seat[data-seat='0']")
