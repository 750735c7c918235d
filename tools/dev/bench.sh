#!/usr/bin/env bash
# The program behind ./zw bench.
# shellcheck source=tools/dev/compile.sh
source tools/dev/compile.sh

help() {
  cat <<'END'
./zw bench [micro|channels|schemes|macro|peers|scale|plan|segment|phonemes|hamming|lines|postings|
            library|truth] [--data DIR] [OPTION]...

How fast. micro: the Google Benchmark programs; channels: MB/s of every channel beside a copy in
memory, with status 1 where one is below 100; schemes: MB/s of every scheme, with status 1 where
SimHash or MinHash is below 100; macro: the command line on a corpus; peers: other
tools beside it in one run, each row with the recall it reached; scale: corpora of growing size in
bounded memory; plan: what `dedup --plan` says beside what the run needs, with status 1 where it is
off by more than a quarter; segment: jieba and rjieba beside it, with status 1 where it is less than
four times as fast as rjieba; phonemes: what sounds cost beside keywords, with status 1 where a
model takes a larger share of jieba's time than its source has it, or the prefilter compares fewer
than 50 million a second; hamming: codes within a distance, beside faiss and the time of a cache
line, with status 1 where a target is not reached; lines: that time alone; postings: the documents
that share the most features with a text, beside SQLite's FTS5, with status 1 where it is less than
twenty times as fast; library: adding to a library and checking against it, with status 1 where a
target is not reached; truth: the pairs that peers are measured by, against labelled ones (needs
--data). Without --data corpora are generated. `./zw bench peers --help` lists the options.

  ./zw bench micro
  ./zw bench peers --data ~/corpora
  ./zw bench scale --sizes 1 10 --memory 256M 1G
  ./zw bench plan --data ~/corpora --sizes 3 --memory 256M 1G 8G
  ./zw bench hamming --codes 100000000
  ./zw bench postings --documents 100000
  ./zw bench library --documents 10000 1000000
  ./zw bench library --peers
  ./zw bench library --minutes 60
END
}

main() {
  local kind=${1:-micro} place=()
  local kinds="micro channels schemes macro peers scale plan segment phonemes hamming lines"
  kinds+=" postings library truth"
  local programs=(--bin-dir "$root/build/bench/bin")
  local tool=(--zhiwen "$root/build/release/bin/zhiwen")
  case $kind in
    micro | hamming | lines | postings) place=("${programs[@]}") ;;
    channels | schemes | phonemes | library) place=("${programs[@]}" "${tool[@]}") ;;
    macro | peers | scale | plan | segment) place=("${tool[@]}") ;;
    truth) ;;
    *) wrong_usage "no benchmark '$kind': $kinds" ;;
  esac
  answer_early bench/run.py "$kind" "${@:2}"
  {
    ensure core bench
    [[ "$kind $*" != library*--peers* ]] || ensure redis
    build_programs
    if [[ $kind =~ ^(micro|channels|schemes|phonemes|hamming|lines|postings|library)$ ]]; then
      configure bench
      compile bench all
    fi
  } >&2 # what is measured can be written to a file
  run_python bench/run.py "$kind" "${place[@]}" "${@:2}"
}

start "$@"
