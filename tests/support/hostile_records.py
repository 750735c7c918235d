"""Prints JSON Lines of documents by someone who wants to break the page that shows them."""

import json

TEXTS = [
    "<script>document.title = 'owned'</script>",
    "</script></style><img src=x onerror=\"document.title = 'owned'\">",
    "\" onmouseover=\"document.title='owned'\" x=\"",
    "\u202eevil\u202c \u2066isolated \u200b\u200bzero \u2028 line \0 nul \x1b[31m",
    "Z\u0351\u036b\u0343\u036a\u0302\u036b\u033d\u034f" * 40,
    "<!-- </textarea> <![CDATA[ ]]> &lt;b&gt; {{script}}",
    "x" * 1_000_000,
    "\n" * 3000,
]


def han(start, count):
    return "".join(chr(0x4E00 + start + i) for i in range(count))


def main():
    for number, text in enumerate(TEXTS):
        # Twice, a character apart, so that both are shown as a pair.
        for copy in "甲乙":
            hostile = han(300 * number, 80) + text + han(300 * number + 100, 40) + copy + text
            name = f"<b>{number}{copy}</b>\u202e\"'"
            print(json.dumps({"id": name, "text": hostile}, ensure_ascii=False))
    print('{"id": "<i>broken</i>", "text": <script>alert(1)</script>')
    print('{"id": "no text"}')


main()
