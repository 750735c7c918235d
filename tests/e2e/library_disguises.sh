#!/usr/bin/env bash
# Libraries of profiles that see through disguises: homophones, spelling, split characters.
source "${ZW_ROOT:-$(dirname "$0")/../..}/tests/support/e2e.sh"
cd "$work"

loushi='山不在高，有仙则名。水不在深，有龙则灵。斯是陋室，惟吾德馨。'
chuntian='海洋湖泊，江河溪流，波浪滔滔。桃树柳树梅树，杨柳依依；'
{ record loushi "$loushi" && record chuntian "$chuntian松林柏林枫林，桂枝摇摇。"; } >originals.jsonl
echo '杉布再糕，友先择明。税布再身，友隆择铃。思事漏市，维无得心。' >homophones.txt
echo 'shan bu zai gao you xian ze ming shuibuzaishen youlongzeling 斯是 lou shi wei wu' >spelled.txt
echo '氵每氵羊氵胡氵白，氵工氵可氵奚流，氵皮氵良滔滔。木兆树木卯树木每树，木昜木卯依依；' >split.txt
echo '此文与书无关，全不相干，不过是几句闲话，讲讲天气和收成，也讲讲邻居家里的小猫小狗。' >other.txt

# field KEY...: a value of the answer.
field() { python3 -c 'import json, sys
value = json.loads(open(".out").readline())
for key in sys.argv[1:]:
    value = value[int(key) if key.isdigit() else key]
print(value)' "$@"; }

for profile in news novel essay; do
  expect 0 "$zhiwen" library create $profile/ --profile $profile
  equals "$out" "$profile/: a library of profile $profile, 0 documents"
  expect 0 "$zhiwen" library add $profile/ originals.jsonl
  expect 0 "$zhiwen" check $profile/ other.txt --json
  equals "$(field verdict)" none
  expect 0 "$zhiwen" library fsck $profile/
done

# --- the profile decides ---
expect 0 "$zhiwen" check news/ homophones.txt --json
equals "$(field verdict)" none
for profile in novel essay; do
  expect 0 "$zhiwen" check $profile/ homophones.txt --json
  equals "$(field verdict) $(field matches 0 document id)" "near loushi" "$profile: homophones"
  has "$(field matches 0 channel)" "pinyin.v1("
  equals "$(field matches 0 passages 0 kind) $(field union share)" "disguised 1"
  expect 0 "$zhiwen" check $profile/ spelled.txt --json
  equals "$(field matches 0 document id)" loushi "$profile: spelled"
done
expect 0 "$zhiwen" check essay/ split.txt --json
equals "$(field verdict)" none
expect 0 "$zhiwen" check novel/ split.txt --json
equals "$(field matches 0 document id)" chuntian
has "$(field matches 0 channel)" "shape.v1("
has "$(field searched channels)" "shape.v1("
expect 0 "$zhiwen" check novel/ split.txt
has "$out" "exact, folded, pinyin, shape"

# --- granules find what channels do not ---
echo '别的话在前面，sbzg yxzm，sbzs ylzl，ssls wwdx' >letters.txt # first letters of readings
expect 0 "$zhiwen" check news/ letters.txt --json
equals "$(field verdict)" none "news: first letters"
expect 0 "$zhiwen" check novel/ letters.txt --json
equals "$(field verdict)" contains "novel: first letters"
has "$(field matches 0 channel)" "initials.v1("
expect 0 "$zhiwen" library derive news/ --scheme 'initials_dna(8)'
has "$out" "news/: has values of initials_dna.v1("
for suspect in homophones letters; do
  expect 0 "$zhiwen" query news/ --scheme initials_dna $suspect.txt --json
  equals "$(field documents 0 document id)" loushi $suspect
  equals "$(field documents 0 granules_matched)" 5 $suspect
  one=$(field documents 0 passages 0 granules 0 suspect code)
  equals "$one" "$(field documents 0 passages 0 granules 0 original code)"
done
equals "$(field documents 0 passages 0 original bytes)" "[0, 87]"
expect 0 "$zhiwen" query news/ --scheme initials_dna letters.txt
has "$out" "5 of 5"
expect 0 "$zhiwen" query news/ --scheme initials_dna other.txt --exists
equals "$out" 0
expect 0 "$zhiwen" query news/ --scheme initials_dna other.txt
has "$out" "no document shares a passage"
expect 2 "$zhiwen" query news/ --granules 2 --like other.txt
expect 0 "$zhiwen" library derive news/ --scheme exact
expect 2 "$zhiwen" query news/ --granules 2 --scheme exact other.txt
has "$err" "no granules"
expect 0 "$zhiwen" library fsck news/
expect 0 "$zhiwen" library derive news/ --scheme initials_dna --drop

# --- check adds such passages, of granules of 50 characters, to what its channels find ---
ailian='水陆草木之花，可爱者甚蕃。晋陶渊明独爱菊。自李唐来，世人甚爱牡丹。'\
'予独爱莲之出淤泥而不染，濯清涟而不妖，中通外直，不蔓不枝，香远益清，亭亭净植，可远观而不可亵玩焉。'\
'予谓菊，花之隐逸者也；牡丹，花之富贵者也；莲，花之君子者也。噫！菊之爱，陶后鲜有闻。莲之爱，同予者何人？'\
'牡丹之爱，宜乎众矣！'
record ailian "$ailian" >ailian.jsonl
expect 0 "$zhiwen" library add news/ ailian.jsonl
echo "$ailian" >ailian.txt
"$zhiwen" inspect ailian.txt --channel pinyin --json | python3 -c 'import json, sys
print(" ".join(json.load(sys.stdin)["channels"][0]["names"]))' >pinyin.txt
expect 0 "$zhiwen" check news/ pinyin.txt --json
equals "$(field verdict)" none
expect 0 "$zhiwen" library derive news/ --scheme initials_dna
expect 0 "$zhiwen" check news/ pinyin.txt --json
equals "$(field verdict) $(field matches 0 document id)" "passages ailian"
has "$(field matches 0 channel)" "initials_dna.v1("
has "$(field matches 0 passages 0 channel)" "initials.v1("
equals "$(field matches 0 passages 0 kind) $(field matches 0 containment_of_original)" "disguised 1"
equals "$(field searched granules_lacking)$(field searched granules_not_searched)" 0
expect 0 "$zhiwen" check news/ pinyin.txt --html page.html
has "$out" "首字母 first letter"
expect 0 env ZHIWEN_LANGUAGE="$work/none.zwl" "$zhiwen" check news/ pinyin.txt --json
has "$err" "passages that sound alike were not looked for"
equals "$(field verdict)" none
has "$(field searched granules_not_searched)" "language data"
expect 0 "$zhiwen" library derive news/ --scheme initials_dna --drop
expect 0 "$zhiwen" check news/ letters.txt --json
equals "$(field verdict)" none

# --- the indexes of channels follow the catalog as the others do ---
rm -r novel/index/pinyin-*
expect 3 "$zhiwen" library fsck novel/
expect 0 "$zhiwen" library compact novel/
has "$err" "made anew"
expect 1 "$zhiwen" check novel/ homophones.txt --exit-code -q
expect 0 "$zhiwen" library remove novel/ loushi
expect 0 "$zhiwen" check novel/ homophones.txt --json
equals "$(field verdict)" none

# --- without the language data nothing is answered wrong ---
expect 4 env ZHIWEN_LANGUAGE="$work/none.zwl" "$zhiwen" library create other/ --profile novel
expect 4 env ZHIWEN_LANGUAGE="$work/none.zwl" "$zhiwen" check novel/ other.txt
has "$err" "language data"
expect 0 env ZHIWEN_LANGUAGE="$work/none.zwl" "$zhiwen" library list novel/
expect 0 env ZHIWEN_LANGUAGE="$work/none.zwl" "$zhiwen" check news/ other.txt

finish
