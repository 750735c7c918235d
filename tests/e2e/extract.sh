#!/usr/bin/env bash
# Texts of documents: several files in order, encodings, folders, archives, what cannot be read.
source "${ZW_ROOT:-$(dirname "$0")/../..}/tests/support/e2e.sh"
pages=$root/testdata/html
cd "$work"

# --- one page, several pages, standard input ---
expect 0 "$zhiwen" extract "$pages/article_zh.html"
has "$out" "清晨六点，城墙根下的早点摊刚刚支起来"
lacks "$out" "热门排行"
lacks "$out" "版权所有"
text=$out
expect 0 "$zhiwen" extract "$pages/article_gbk.html"
equals "$out" "$text" "the text of the same page in GBK"
expect 0 "$zhiwen" extract - <"$pages/article_gbk.html"
equals "$out" "$text" "the text of standard input"
gzip <"$pages/article_zh.html" >page.html.gz
expect 0 "$zhiwen" extract page.html.gz
equals "$out" "$text" "the text of a compressed page"
expect 0 "$zhiwen" extract "$pages/article_zh.html" "$pages/article_gbk.html"
equals "$out" "$text"$'\n\n'"$text" "an empty line between texts"

# --- JSON: in order, the same for any number of threads ---
for ((i = 0; i < 40; ++i)); do
  printf '<title>第%s页</title><p>这是第%s页的正文，写得不长，但也有一个完整的句子。</p>' "$i" "$i" >"$i.html"
done
files=()
for ((i = 0; i < 40; ++i)); do files+=("$i.html"); done
expect 0 "$zhiwen" extract --json --threads 1 "${files[@]}"
one=$out
expect 0 "$zhiwen" extract --json --threads 3 "${files[@]}"
equals "$out" "$one" "the output of three threads"
equals "$(sed 's/^{"id":"\([0-9]*\).*/\1/' .out | tr '\n' ' ')" "$(seq -s ' ' 0 39) " "the order"
has "$out" '"title":"第7页"'
# The lines are documents for other commands.
expect 0 "$zhiwen" fingerprint -s simhash64 - <<<"$one"
equals "$(wc -l <.out)" 40 "fingerprints of the texts"
expect 0 "$zhiwen" extract --format blocks "$pages/article_gbk.html"
has "$out" '"blocks":[{"kind":"'
has "$out" '{"kind":"paragraph","level":0,"text":{"begin":'
has "$out" '"encoding":{"name":"gb18030","declared":"gb2312","errors":0}'

# --- trees: drawn, as JSON, and as levels for fingerprints ---
body='<p>九月一日，新学校开学了，来了很多人。</p><h2>路</h2><p>路修了三年，花了很多钱，大家都说好。</p>'
printf '<title>山路上的新学校</title><h1>山路上的新学校</h1>%s' "$body" >school.html
sed 's/很多人/许许多多的人/; s#<h2>路</h2>#<p><b>路</b></p>#' school.html >copy.html
expect 0 "$zhiwen" extract --format tree school.html
equals "$out" "山路上的新学校
├─ 九月一日，新学校开学了，来了很多人。
└─ 路
   └─ 路修了三年，花了很多钱，大家都说好。" "the tree of a page"
expect 0 "$zhiwen" extract --format tree --json school.html
has "$out" '"levels":"0 1 1 2","tree":{"marks":"tags","weight":null,"mark":"title","paragraph":0,'
has "$out" '"mark":"h2","paragraph":2,"text":"路","children":[{"weight":0,"mark":"","paragraph":3,'
printf '%s\n' "$out" >trees.jsonl
expect 0 "$zhiwen" fingerprint -s tagstr --values school.html
levels=$out
has "$out" '"0002000059270000597d"' # nothing of a clause but its ends
expect 0 "$zhiwen" fingerprint -s tagstr --values trees.jsonl
equals "$out" "$levels" "tagstr of a text with its levels"
expect 0 "$zhiwen" compare -s tagstr school.html copy.html
has "$out" "1           levels   tagstr"
expect 0 "$zhiwen" compare -s tagstr trees.jsonl:1 copy.html
has "$out" "1           levels   tagstr"

# --- pages without text, files that cannot be read ---
expect 0 "$zhiwen" extract "$pages/shell.html"
equals "$out" ""
has "$err" "the document has no text"
expect 0 "$zhiwen" extract --json "$pages/shell.html"
has "$out" '"kind":"empty"'
expect 4 "$zhiwen" extract "$pages/article_zh.html" missing.html
equals "$out" "" "nothing is printed where a file is missing"
has "$err" '"missing.html"'
mkdir folder
expect 4 "$zhiwen" extract folder
has "$err" 'below "folder"'
expect 2 "$zhiwen" extract 0.html 0.html
has "$err" '"0.html" is given twice'
head -c 300 page.html.gz >cut.html.gz
expect 0 "$zhiwen" extract --json 0.html cut.html.gz 1.html
has "$out" '{"id":"cut.html.gz","source":{"file":"cut.html.gz"},"failed":{"reason":"unreadable",'
equals "$(wc -l <.out)" 3 "a line for each file"
has "$err" 'cannot read "cut.html.gz": truncated'
has "$err" "1 of 3 documents could not be read"
expect 3 "$zhiwen" extract --max-failed 0 --json 0.html cut.html.gz 1.html
has "$err" "raise --max-failed"
equals "$(wc -l <.out)" 3 "a line for each file"
printf '\211PNG\r\n' >scan.html
expect 3 "$zhiwen" extract scan.html
has "$err" 'cannot read "scan.html": it is a picture'

# --- what programs of others read ---
printf '%s' "{\\rtf1\\ansi\\ansicpg936 \\'d6\\'b8\\'ce\\'c6\\par}" >gbk.rtf
expect 0 "$zhiwen" extract gbk.rtf
equals "$out" "指纹"
printf '%%PDF-1.7\n' >scan.html
expect 3 env PATH= "$zhiwen" extract scan.html
has "$err" "the program pdftotext is not installed (Debian: poppler-utils)"
expect 3 "$zhiwen" extract scan.html
has "$err" "the file is damaged or encrypted: pdftotext says"

# --- folders, records, a file for the texts ---
mkdir -p site/news && cp 0.html site/ && cp 1.html site/news/
echo 'a plain text' >site/readme.txt
printf '{"id":"r1","body":"<p>这是记录里的网页，有一个完整的句子。</p>"}\n{bad\n' >site/dump.jsonl
expect 0 "$zhiwen" extract site --text-field body -o texts.jsonl.zst
has "$out" "texts.jsonl.zst: the texts of 4 documents"
zstd -dcq texts.jsonl.zst >.texts
equals "$(sed 's/^{"id":"\([^"]*\)".*/\1/' .texts | tr '\n' ' ')" \
  "site/0.html r1 site/dump.jsonl:2 site/news/1.html site/readme.txt " "the documents of a folder"
equals "$(grep -c '"failed"' .texts)" 1 "the record that is no JSON"
has "$(cat .texts)" '"text":"这是记录里的网页，有一个完整的句子。"'
expect 5 "$zhiwen" extract site --text-field body -o texts.jsonl.zst
expect 0 "$zhiwen" extract site --text-field body -o texts.jsonl.zst --overwrite
expect 2 "$zhiwen" extract site -o texts.html
expect 2 "$zhiwen" extract site --overwrite
expect 2 "$zhiwen" extract site --resume
# What a stopped run left is gone on with; here nothing is left, and the file is made anew.
expect 0 "$zhiwen" extract site --text-field body -o again.jsonl.zst --resume
equals "$(sha256sum <again.jsonl.zst)" "$(sha256sum <texts.jsonl.zst)" "the same texts"
equals "$(find . -name '*.partial')" "" "nothing is left behind"

# --- what the pages of a site share ---
mkdir -p shop
for ((i = 0; i < 30; ++i)); do
  own="这是第 $i 页自己的内容，是一个写得很完整的句子，别的页面没有。"
  printf '<p>%s</p><p>本站所有文字未经许可不得转载，违者必究。</p>' "$own" >"shop/$i.html"
  printf '{"url":"http://shop.example/%s","text":"<p>%s</p><p>本站所有文字不得转载，违者必究。</p>"}\n' \
    "$i" "$own" >>shop.jsonl
done
expect 0 "$zhiwen" extract shop --site-templates -o shop-texts.jsonl
has "$out" "30 paragraphs of site templates left out"
has "$(head -n 1 shop-texts.jsonl)" '"text":"这是第 0 页自己的内容，是一个写得很完整的句子，别的页面没有。"'
has "$(head -n 1 shop-texts.jsonl)" '"dropped":[{"reason":"site_template","text":"本站所有文字未经许可'
has "$(head -n 1 shop-texts.jsonl)" '"pages":30,"site_pages":30}]'
expect 0 "$zhiwen" extract shop --site-templates --json --threads 1
equals "$out" "$(cat shop-texts.jsonl)" "one thread"
expect 0 "$zhiwen" extract shop.jsonl --site-templates
lacks "$out" "违者必究"
expect 0 "$zhiwen" extract shop/0.html shop.jsonl --site-templates
has "$out" "违者必究" # a page of another site
expect 2 "$zhiwen" extract - --site-templates <shop/0.html
has "$err" "standard input cannot be read twice"

# --- forums: all posts, and where each begins ---
{
  printf '<title>花槽漏水</title><meta name=generator content="Discuz! X3.4"><div id=posts>'
  for i in 1 2 3; do
    printf '<div class=post><p><a href=/u>园丁%s</a></p>' "$i"
    printf '<div class=info>发表于 2024-05-0%s 10:00</div>' "$i"
    printf '<div class=message>第 %s 个人说，用防水胶沿着接缝涂一圈，干了再涂一遍就行。</div></div>' "$i"
  done
} >forum.html
expect 0 "$zhiwen" extract forum.html
equals "$(printf '%s\n' "$out" | wc -l)" 3 "a line for each post"
expect 0 "$zhiwen" extract --format blocks --json forum.html
has "$out" '"kind":"forum"'
has "$out" '{"author":"园丁2","date":"2024-05-02","blocks":{"begin":1,"end":2}}'

# --- pages are documents of every command ---
mkdir pages && cp "$pages"/article_*.html pages/
expect 0 "$zhiwen" dedup pages -o out
equals "$(find out/kept -type f | wc -l)" 2 "a page in two encodings is kept once"
expect 0 "$zhiwen" fingerprint -s exact pages
equals "$(grep -c '"id":"pages/' .out)" 3 "fingerprints of pages"
expect 0 "$zhiwen" compare pages/article_zh.html pages/article_gbk.html
has "$out" "100.00 % in shared runs"
expect 0 "$zhiwen" library create library
expect 0 "$zhiwen" library add library pages
expect 0 "$zhiwen" check library pages/article_gbk.html
has "$out" "pages/article_zh.html"
printf '<p>旧城墙下的早点摊一早就开了门，摊主把锅支在墙根，排队的人从街口站到巷尾。<img src=a><img src=b>' >seen.html
expect 0 "$zhiwen" check library seen.html --json
has "$out" '"not_seen":{"pictures":2,"obfuscated":0,"extracted":1}'

# A page hides its copy where no text is looked for: check says how little it read.
cat >hidden.txt <<'TXT'
北街的旧钟楼每到傍晚就停一刻，守楼人说是为了等一位迟到的旅人。第三个冬天，旅人真的来了，背着半箱没有写完的信。
他在楼下坐到天亮，把信一封封念给风听，念完便把箱子留在台阶上走了。守楼人后来把那些信装订成册，封面上只写了日期。
TXT
{
  printf '<meta charset=utf-8><article><h1>磨坊</h1><p>河边的磨坊今年换了新的水轮，木匠老周带着两个徒弟'
  printf '忙了一整个春天，锯下来的木屑堆得比人还高。</p></article><aside>'
  sed 's/.*/<p>&<\/p>/' hidden.txt
  printf '</aside>'
} >hiding.html
expect 0 "$zhiwen" library add library hidden.txt
expect 0 "$zhiwen" extract --json hiding.html
share=$(grep -o '"share":[0-9.]*' .out)
expect 0 "$zhiwen" check library hiding.html --json
has "$out" '"verdict":"none"'
has "$out" "\"obfuscated\":0,\"extracted\":${share#*:}}"
"$zhiwen" extract --json hiding.html >hiding.jsonl
expect 0 "$zhiwen" check library hiding.jsonl --json
has "$out" "\"extracted\":${share#*:}}"
expect 0 "$zhiwen" check library hiding.html
has "$out" "未看 not seen"
has "$out" "--format text compares"
expect 0 "$zhiwen" check library hiding.html seen.html
has "$out" ", the rest was not compared"
expect 0 "$zhiwen" check library hiding.html --format text
has "$out" "包含原文 contains an original"
lacks "$out" "未看"
expect 0 "$zhiwen" inspect pages/article_gbk.html
has "$out" "6 lines"
expect 3 "$zhiwen" extract cut.html.gz
has "$err" "cut.html.gz"
expect 2 "$zhiwen" extract
expect 2 "$zhiwen" extract - -
expect 0 "$zhiwen" extract --help
has "$out" "zhiwen extract pages/ -o texts.jsonl.zst"

# A field with HTML.
for i in 1 2 3; do
  printf '{"id":"r%s","text":"<p class=c%s>秋天的叶子落在小路上，走过去沙沙地响。</p>"}\n' "$i" "$i"
done >html.jsonl
expect 0 "$zhiwen" dedup html.jsonl -o html --text-format html
equals "$(wc -l <html/kept/html.jsonl)" 1 "pages that have the same text"
has "$(<html/kept/html.jsonl)" "<p class=c1>"
expect 0 "$zhiwen" segment html.jsonl --text-format html
lacks "$out" "class"
expect 2 "$zhiwen" segment pages/article_zh.html --text-format html
has "$err" "--text-format does nothing"

# --- crawl archives ---
warc=$root/testdata/warc/pages.warc.gz
expect 0 "$zhiwen" extract --json "$warc" --quiet
equals "$(sed 's/^{"id":"\([^"]*\)".*/\1/' .out | tr '\n' ' ')" "http://example.org/shop.html \
http://example.org/bridge.html http://example.org/weather.html " "the captures that have a text"
has "$out" '"captured":"2024-05-01T08:00:01Z"'
expect 0 "$zhiwen" extract - <"$warc"
has "$err" "passed over 5 records that are no documents"
# The same capture twice: the second one goes, with its request; the rest stays, byte by byte.
mkdir crawl
{ cat "$warc" "$root/testdata/warc/texts.warc.wet.gz" "$warc"; } >crawl/all.warc.gz
expect 0 "$zhiwen" dedup crawl -o crawl-out
has "$out" "removed               3"
gzip -dc "$warc" "$root/testdata/warc/texts.warc.wet.gz" >.first
gzip -dc crawl-out/kept/all.warc.gz >.kept
equals "$(head -c "$(stat -c %s .first)" .kept | sha256sum)" "$(sha256sum <.first)" \
  "the first captures are kept unchanged"
expect 0 "$zhiwen" extract --json --quiet crawl-out/kept/all.warc.gz
equals "$(wc -l <.out)" 5 "the documents of the kept archive"
expect 2 "$zhiwen" dedup crawl -o marked --mark duplicate
has "$err" "has no fields"
expect 0 "$zhiwen" library add library "$warc"
has "$out" "3 documents added"
expect 0 "$zhiwen" compare "$warc:2" "$warc:id=http://example.org/shop.html"
has "$out" "100.00 % in shared runs"
cp "$pages/article_zh.html" page.warc
expect 0 "$zhiwen" extract --json page.warc
has "$out" '"type":"html"'
echo nothing >none.warc
expect 0 "$zhiwen" extract --json --max-failed 1 none.warc 0.html
has "$out" '{"id":"none.warc","source":{"file":"none.warc"},"failed":'
equals "$(wc -l <.out)" 2 "a line for each file"
expect 0 "$zhiwen" dedup crawl -o by-key --key url
equals "$(zstd -dcq by-key/removed.jsonl.zst | grep -c '"reason":"key"')" 5 \
  "documents of the same address; no description, redirect or picture is taken for one of them"
{ gzip -dc "$warc" || true; } | head -c 1000 >cut.warc
expect 3 "$zhiwen" extract --json cut.warc
has "$out" '"failed":{"reason":"unreadable","message":"'

# --- Markdown: by its name, in every command ---
{
  printf -- '---\ntitle: 山路\n---\n# 山路上的新学校\n\n'
  printf -- '今天*开学*了，\n来了[很多人](http://x.example)。\n\n## 路\n\n- 一\n'
} >road.md
expect 0 "$zhiwen" extract road.md
equals "$out" $'山路上的新学校\n今天开学了，来了很多人。\n路\n一' "the text of a Markdown file"
expect 0 "$zhiwen" extract --format blocks road.md
has "$out" '"type":"markdown"'
has "$out" '"title":"山路"'
has "$out" '{"kind":"heading","level":2,'
expect 0 "$zhiwen" extract --format tree road.md
has "$out" "└─ 路"
mkdir marks && cp road.md marks/ && printf '%s\n' "$(<.out)" >marks/other.txt
expect 0 "$zhiwen" dedup marks -o marks-out
check "a kept Markdown file" cmp marks-out/kept/road.md road.md

# --- text that a program recognizes in pictures is marked as such ---
printf '\x89PNG\r\n\x1a\n%040d' 0 >scan.png
printf '#!/bin/sh\nprintf "第一行\\n\\n第二行 %%s\\n" "$(wc -c)"\n' >ocr
chmod +x ocr
expect 3 "$zhiwen" extract scan.png
has "$err" "it is a picture"
expect 0 "$zhiwen" extract scan.png --ocr "$work/ocr"
equals "$out" $'第一行\n第二行 48' "the text that was recognized"
has "$err" "of 1 document the text was recognized in pictures"
expect 0 "$zhiwen" extract --json --ocr "$work/ocr" scan.png road.md
has "$out" '"type":"picture"'
has "$out" '"recognized":"picture"'
has "$out" '"notes":["the text was recognized in pictures by '
equals "$(grep -c recognized .out)" 1 "a text that the document has is not marked"
python3 - <<'END'
parts = [b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2>>"]
parts += [b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 40 40]>>"] * 2
pdf, at = b"%PDF-1.4\n", []
for number, part in enumerate(parts, 1):
    at.append(len(pdf))
    pdf += b"%d 0 obj%s endobj\n" % (number, part)
table = b"".join(b"%010d 00000 n \n" % place for place in at)
end = b"trailer<</Size 5/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % len(pdf)
pdf += b"xref\n0 5\n0000000000 65535 f \n" + table + end
open("scan.pdf", "wb").write(pdf)
END
expect 0 "$zhiwen" extract --json scan.pdf
has "$out" '"kind":"empty"'
expect 0 "$zhiwen" extract --json scan.pdf --ocr "$work/ocr"
has "$out" '"type":"pdf"'
has "$out" '"recognized":"pages"'
equals "$(grep -o 第一行 .out | wc -l)" 2 "the text of two pages"
expect 3 "$zhiwen" extract scan.png --ocr no-such-program
has "$err" "no-such-program is not installed"
expect 2 "$zhiwen" extract scan.png --ocr "'open"
has "$err" "a quote that is not closed"

# --- office files: by what is in them, damaged ones, in every command ---
python3 - <<'END'
import zipfile
body = "".join(f"<w:p><w:r><w:t>第{i}段，写在一个文件里。</w:t></w:r></w:p>" for i in range(3))
space = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
for name in ("report.docx", "named_so.bin"):
    with zipfile.ZipFile(name, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        document = f'<w:document xmlns:w="{space}"><w:body>{body}</w:body></w:document>'
        archive.writestr("word/document.xml", document)
END
expect 0 "$zhiwen" extract report.docx
equals "$out" $'第0段，写在一个文件里。\n第1段，写在一个文件里。\n第2段，写在一个文件里。'
text=$out
expect 0 "$zhiwen" extract named_so.bin
equals "$out" "$text" "the text of a file with another name"
expect 0 "$zhiwen" extract --format blocks report.docx
has "$out" '"type":"docx"'
has "$out" '"member":"word/document.xml"'
expect 0 "$zhiwen" fingerprint -s simhash64 report.docx
head -c 200 report.docx >cut.docx
expect 0 "$zhiwen" extract --json report.docx cut.docx
has "$out" '{"id":"cut.docx","source":{"file":"cut.docx"},"failed":{"reason":"unreadable",'

# --- hostile pages end, soon and with a result ---
repeat() { yes "$1" | tr -d '\n' | head -c 1000000 || true; }
for part in '<div>' '<a><div>' '<table><tr><td>x' '<h1>a<h2>b' '<!-- ' '<a href="x>' '<title>' \
  '<svg>' '<b>' '&#1;' '<p a=b ' '<template>' $'\x80' '中'; do
  repeat "$part" >hostile.html
  expect 0 timeout 20 "$zhiwen" extract --json hostile.html
done
finish
