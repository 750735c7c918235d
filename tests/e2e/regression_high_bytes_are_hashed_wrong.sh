#!/usr/bin/env bash
# Seen in peers: signed characters and 64-bit overflow spoil the hashes of bytes above 127.
source "${ZW_ROOT:-$(dirname "$0")/../..}/tests/support/e2e.sh"

text=$(plain_text 0 120)
astral=𠀀𠀁𠀂𠀃𠀄𠀅𠀆𠀇𠀈𠀉𠀊𠀋𠀌𠀍𠀎𠀏
emoji=😀😁😂😃😄😅😆😇😈😉😊😋😌😍😎😏
{
  record han "$text"
  record han_copy "$text。"
  record unrelated "$(plain_text 800 120)"
  record astral "$astral"
  record astral_copy "$astral。"
  record astral_reversed 𠀏𠀎𠀍𠀌𠀋𠀊𠀉𠀈𠀇𠀆𠀅𠀄𠀃𠀂𠀁𠀀
  record emoji "$emoji"
  record emoji_copy "$emoji。"
  record emoji_reversed 😏😎😍😌😋😊😉😈😇😆😅😄😃😂😁😀
} >"$work/bytes.jsonl"
dedup bytes
equals "$(keepers bytes | tr '\n' ';')" \
  "astral astral_copy;emoji emoji_copy;han han_copy;" "removed for (the longest stays)"
finish
