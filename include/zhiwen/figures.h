#ifndef ZHIWEN_FIGURES_H_
#define ZHIWEN_FIGURES_H_

// Figures as people read them, in the terminal and in pages: one figure looks alike everywhere.
//
// Threads     free functions
// Not for     machines: JSON has whole numbers and fractions

#include <cstdint>
#include <string>
#include <string_view>

namespace zhiwen {

std::string FormatCount(uint64_t count);                          // 22,409
std::string FormatPlural(uint64_t count, std::string_view noun);  // 1 run, 2 runs
std::string FormatBytes(uint64_t bytes);                 // 812 B, 1.5 kB, 110.2 MB (powers of ten)
std::string FormatShare(uint64_t part, uint64_t whole);  // 2.04 %, < 0.01 %; "–" when whole is 0
std::string FormatPercent(double share);                 // 99.69 % for 0.9969
std::string FormatEstimate(double value);                // < 0.001, 0.021, 7.5, 812
std::string FormatSeconds(double seconds);        // 0.4 ms, 420 ms, 9.12 s, 3 min 05 s, 2 h 04 min
std::string FormatSimilarity(double similarity);  // 0.9312, rounded down; 1 only when it is 1
std::string FormatContainment(double containment);  // 93.12 %, rounded down; 100 % when it is 1
std::string FormatExtracted(double share);          // 96 % for 0.96, 40.7 %, 2.5 %

}  // namespace zhiwen

#endif  // ZHIWEN_FIGURES_H_
