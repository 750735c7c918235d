#!/usr/bin/env python3
"""Generates src/document/html/html_entity_table.cc: the named character references of HTML.

In     Python's html.entities, which has the table of the HTML standard
Out    the table file; the same bytes on every machine

Usage  tools/generate_html_entities.py            writes the file
       tools/generate_html_entities.py --check    exits 1 when a regeneration differs from the file
"""

import html.entities

import generated_table

TOOL, OUTPUT = "generate_html_entities.py", "src/document/html/html_entity_table.cc"

BODY = '''#include "document/html/html_entity_table.h"

namespace zhiwen {{
namespace {{

// clang-format off
constexpr HtmlEntity kEntities[] = {{
{rows}
}};
// clang-format on

}}  // namespace

std::span<const HtmlEntity> HtmlEntityTable() {{ return kEntities; }}

}}  // namespace zhiwen
'''


def escaped(text):
    """The UTF-8 of a text as the inside of a C++ literal."""
    return "".join(f"\\{byte:03o}" for byte in text.encode())


def generate():
    entities = html.entities.html5
    rows = [f'    {{"{name}", "{escaped(value)}"}},'
            for name, value in sorted(entities.items(), key=lambda e: e[0].encode())]
    return generated_table.signed(TOOL, "the HTML standard", BODY.format(rows="\n".join(rows)))


def main():
    arguments = generated_table.parser(__doc__).parse_args()
    generated_table.write_or_check(TOOL, OUTPUT, generate(), arguments.check)


if __name__ == "__main__":
    main()
