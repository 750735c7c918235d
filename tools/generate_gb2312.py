#!/usr/bin/env python3
"""Generates src/text/gb2312.cc: the Chinese characters of GB 2312-80 in its order.

In     Python's codec gb2312
Out    the table file; the same bytes on every machine

Usage  tools/generate_gb2312.py            writes the file
       tools/generate_gb2312.py --check    exits 1 when a regeneration differs from the file
"""

import sys

import generated_table

TOOL, OUTPUT = "generate_gb2312.py", "src/text/gb2312.cc"
COMMON_ROWS, ROWS = range(16, 56), range(16, 88)
CELLS = range(1, 95)
IN_A_LINE = 32

BODY = '''#include "text/gb2312.h"

#include <array>

namespace zhiwen {{
namespace {{

// clang-format off
constexpr char16_t kCharacters[] =
{lines};
// clang-format on
constexpr size_t kCount = {count};
constexpr uint32_t kFirst = 0x{first:04X}, kLast = 0x{last:04X};

constexpr auto kGb2312Numbers = [] {{
  std::array<uint16_t, kLast - kFirst + 1> numbers = {{}};  // one more than the number
  for (size_t i = 0; i < kCount; ++i) {{
    numbers[kCharacters[i] - kFirst] = static_cast<uint16_t>(i + 1);
  }}
  return numbers;
}}();

}}  // namespace

std::optional<uint32_t> Gb2312Number(uint32_t code_point) {{
  if (code_point < kFirst || code_point > kLast) return std::nullopt;
  const uint16_t number = kGb2312Numbers[code_point - kFirst];
  if (number == 0) return std::nullopt;
  return number - 1;
}}

}}  // namespace zhiwen
'''


def characters_of(rows):
    characters = []
    for row in rows:
        for cell in CELLS:
            try:
                characters.append(bytes((0xA0 + row, 0xA0 + cell)).decode("gb2312"))
            except UnicodeDecodeError:
                pass  # the end of row 55
    return "".join(characters)


def generate():
    characters = characters_of(ROWS)
    if len(characters_of(COMMON_ROWS)) != 3755 or len(characters) != 6763:
        sys.exit("generate_gb2312: the codec gb2312 has other characters than the standard")
    lines = "\n".join(f'    u"{characters[i:i + IN_A_LINE]}"'
                      for i in range(0, len(characters), IN_A_LINE))
    body = BODY.format(lines=lines, count=len(characters), first=ord(min(characters)),
                       last=ord(max(characters)))
    return generated_table.signed(TOOL, "GB 2312-80", body)


def main():
    arguments = generated_table.parser(__doc__).parse_args()
    generated_table.write_or_check(TOOL, OUTPUT, generate(), arguments.check)


if __name__ == "__main__":
    main()
