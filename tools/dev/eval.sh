#!/usr/bin/env bash
# The program behind ./zw eval.
# shellcheck source=tools/dev/compile.sh
source tools/dev/compile.sh

help() {
  cat <<'END'
./zw eval copy|dedup|channels|segment|terms|schemes|reproductions|phonemes|initials_dna
          |extract|pages|office|pictures|hostile|crawl|encodings|streams [--data DIR] [OPTION]...

How right. copy: passages that are found of copies whose places are known, by disguise and length,
and where nothing is copied, beside other programs; dedup: residual duplicates, wrong removals,
recall per kind of disguise, texts that differ in one operator; channels: what
each channel finds again after a disguise, and which different words and shingles it makes equal;
segment: differences from jieba; terms: what weights do to keywords; schemes: how well every scheme
tells copies from other texts, by corpus, relation and disguise; reproductions: figures that the
sources state, beside ours; phonemes: the tables of 金哲凡 et al. 2017, and what phonemes exclude in
front of an exact check; initials_dna: which granule, overlap and digits that scheme needs; extract:
bodies of web pages, by models that never saw their site, and speed, beside other extractors and
lexbor, if asked for; pages: clusters
of pages by their body trees, beside the form and the baselines of 熊忠阳 et al. 2013, and time over
pages; office: texts of office files beside a reference; pictures: which changed copies of pictures
are found, and what is taken for one; hostile: what files that are made to cost take of time and
memory; crawl: a crawl archive of real pages, from end to end; encodings: texts in other encodings,
and how many short ones are told right. What
cannot be checked is shown as skipped; that nothing was, or that a channel or disguise with a target
is not there, is a failure. `./zw eval dedup --help` lists the options. Without --data: the demo
texts and generated corpora, in a minute.

  ./zw eval copy   with the demo texts, in five minutes; other programs come from PyPI
  ./zw eval copy --data ~/corpora   the tables of docs/copied-passages.md, in an hour
  ./zw eval copy --data ~/corpora --part backwards --characters 100000000
  ./zw eval dedup
  ./zw eval dedup --data ~/corpora
  ./zw eval segment --data ~/corpora   differences from jieba, by mode and corpus
  ./zw eval channels --data ~/corpora --markdown   the tables of docs/channels.md
  ./zw eval terms --data ~/corpora --markdown   the table of decision 011
  ./zw eval schemes --data ~/corpora --markdown   the tables of all schemes, in ten minutes
  ./zw eval reproductions --data ~/corpora --markdown   the tables of docs/reproductions.md
  ./zw eval phonemes --data ~/corpora --markdown   the tables of docs/phonemes.md
  ./zw eval initials_dna --data ~/corpora --pairs 200 --markdown   the table of its page
  ./zw eval extract --data ~/corpora --divisions 3   F1 by source, in ten minutes
  ./zw eval pages --data ~/corpora   clusters of pages, and a plot of time, in ten minutes
  ./zw eval extract --data ~/corpora --peers --lexbor   beside other extractors and parsers
  ./zw eval hostile --large   with a page of 1 GB
  ./zw eval crawl --data ~/corpora   removals beside those of raw HTML, a share for each stage
  ./zw eval office --data ~/corpora   F1 by format, and why files are below it
  ./zw eval pictures --data ~/corpora   recall by variant, and what no scheme can see
  ./zw eval encodings --data ~/corpora   by corpus, encoding and length
END
}

# What trains the model of bodies: numpy, and the program that computes what the model sees.
prepare_training() {
  local venv=build/venv-train wheel=numpy==2.4.6
  ensure core bench
  if [[ "$(cat $venv/complete 2>/dev/null)" != "$wheel" ]]; then
    step setup-train "fetch numpy (17 MB)" apart fetch_wheel "$venv" "$wheel" ||
      leave_out "no numpy, so nothing is cross-validated"
  fi
  configure bench
  compile bench page_blocks
}

# The program that names the encodings of short texts.
prepare_detector() {
  ensure core bench
  configure bench
  compile bench detect_encodings
}

main() {
  (($# > 0)) || wrong_usage "eval needs a word; ./zw eval --help lists them"
  answer_early eval/run.py "$@"
  {
    ensure core
    build_programs
    [[ $1 != extract ]] || prepare_training
    [[ $1 != pictures ]] || ensure test
    [[ $1 != encodings ]] || prepare_detector
  } >&2 # what is found can be written to a file
  run_python eval/run.py "$1" --zhiwen "$root/build/release/bin/zhiwen" "${@:2}"
}

start "$@"
