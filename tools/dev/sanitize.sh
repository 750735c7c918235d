#!/usr/bin/env bash
# The program behind ./zw sanitize.
# shellcheck source=tools/dev/compile.sh
source tools/dev/compile.sh

help() {
  cat <<'END'
./zw check --sanitize

Unit tests under ASan + UBSan, then the concurrent suites under TSan. ZW_LONG=1: also the long ones
(`long_tests`, in tools/dev/sanitize.sh).
END
}

# Tests that sanitizers run with ZW_LONG=1 only: those that stop or fail a run at every place,
long_tests='DedupResume.GivesTheSame*:*DedupResumeFaults*:*DedupFaults*:ParquetDamageTest.*'
long_tests+=':*DedupDamage*:*DedupKills*:*Faults*.OfAllOperations*:DedupResume.OtherMemory*'
long_tests+=':*Faults*.OfTheMachine*:ParquetDedup.NoFlippedBit*:ParquetDedup.WhicheverFile*'
# that go through all code points, or draw so much that a rate shows,
long_tests+=':FoldTest.EveryCodePoint*:ExactTest.EveryCodePoint*:Shingles.OfTenMillion*'
long_tests+=':Shingles.SpreadEvenly*:SampledShingles.PairsAtTheThreshold*:BandRecall.*'
long_tests+=':*.EstimatesResemblanceWithoutBias*:MinHash.BandsFind*:Contained.SampledShingles*'
long_tests+=':*Test.AnAuditFinds*:AuditKeys.PairsAtTheThreshold*:ForecastTest.OfAPart*'
long_tests+=':ForecastTest.ReadsLessWhere*:ForecastTest.SaysWhichFigures*'
long_tests+=':ForecastTest.AddsScratchAndOutput*:MinHashRecall.FindsAsMany*'
long_tests+=':ForecastTest.CountsTheSets*:ForecastTest.OfAFewLarge*:ForecastGrowth.FindsHowMany*'
long_tests+=':AuditTest.FindsResidualsOfASample*'
long_tests+=':ReferenceIndex.AsksForNoMoreMemory*'
# that show by large inputs that time is linear,
long_tests+=':SharedRuns.*StayFast:ReferenceIndex.*AreDecidedInTime:Contained.TenThousand*'
long_tests+=':LongText.*'
# or wait for the slow form of a rule on large inputs, which small ones do as well.
long_tests+=':PrefixJoin.MissesNoPairOfSetsOfManyThousands:Contained.TheFastForm*'
long_tests+=':ReferenceIndex.RepeatsInReferencesOfMillions*:ReferenceIndex.EqualsTheDefinition*'
long_tests+=':Similarity.SetContainsEqualsTheCountsOfLargeSets*:ParallelGreedy.ManyFruitlessPairs*'
long_tests+=':DedupAgainstTest.*EqualsTheRuleWordByWord:DedupContainedTest.AContainerOfHundreds*'
# Where a fuzz target holds the same code against the same oracle, sanitizers run that instead.
long_tests+=':FoldTest.*LikeTheOracle:*RuleWordByWord*:ParallelGreedy.EqualsTheRule*'
long_tests+=':TextPiecesOf*:*/TextPiecesOf*:ExactTest.AMillionMarks*:FrameWriter.AFaultAtAny*'
long_tests+=':ParquetBlocksTest.ValuesThatADictionary*:ByteSource.FilesOfTheUsual*'
long_tests+=':DedupChangedInputs*'
long_tests+=':DedupMemory.*AgainstReferences:DedupMemory.*WhereOneComponentDoesNotFit'
long_tests+=':DedupMemory.*InModeContained:DedupMemory.*WithExactCandidates'
# What the race detector runs, and ASan with ZW_LONG=1 only: runs whose bytes no thread may change.
raced_tests=':DedupMemory.ChangesNoByte*:DedupContainedTest.WhatEveryDocumentShares*'
raced_tests+=':DedupContainedTest.ThreadsAndMemory*:DedupContainedTest.SampledCandidates*'
raced_tests+=':DedupTest.WritesTheSameBytesForAnyNumberOfThreads*'

sanitized_tests() { # PRESET [CTEST OPTION]...
  local filter="-$long_tests"
  [[ -z "${ZW_LONG:-}" ]] || filter='*'
  GTEST_FILTER=$filter run_tests "$@"
}

# kernels_test goes through the instruction sets by itself; of what calls kernels one is enough. The
# command line, which is not built for it otherwise, is among the long ones.
test_asan() {
  local modules='kernels|fingerprint' program='|^cli_test$'
  [[ -z "${ZW_LONG:-}" ]] || program=""
  long_tests+=$raced_tests
  sanitized_tests asan -E "^($modules)_test\.(scalar|avx512)\$$program"
}

# The tests of one program run on one core: the other one builds for the race detector meanwhile.
main() {
  local tests status=0
  ensure core test fuzz
  build_programs # which make the language data
  configure asan
  compile asan "$([[ -n "${ZW_LONG:-}" ]] && echo all || echo library_tests)"
  mkdir -p build/log
  apart test_asan >build/log/asan-tests.log 2>&1 &
  tests=$!
  configure tsan
  apart compile tsan concurrency_test || status=1
  wait "$tests" || status=1
  cat build/log/asan-tests.log
  ((status == 0)) || exit 1
  sanitized_tests tsan -R '^concurrency_test\.'
}

start "$@"
