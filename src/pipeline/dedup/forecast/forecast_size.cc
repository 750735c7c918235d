#include "pipeline/dedup/forecast/forecast_size.h"

#include <cmath>
#include <map>
#include <utility>

namespace zhiwen {
namespace {

// Where the sample holds one place of a kind of files.
constexpr double kErrorOfOnePlace = 0.1;
// Of how much a compressed file holds, as a share.
constexpr double kErrorOfRatio = 0.02;

// Files of one format and compression.
struct FileKind {
  double file_bytes = 0;     // all
  double stream = 0;         // all, as far as known; rows of Parquet
  double unknown_bytes = 0;  // of files of which nothing is known but their size
  double known_bytes = 0;    // of those of which more is known, if not for sure
  bool is_guessed = false;
  double sampled_stream = 0;
  std::vector<const SampledUnit*> units;
};

using KindKey = std::pair<RecordFormat, Compression>;

KindKey KindOf(const InputFile& file) { return {file.format, file.compression}; }

bool IsPlain(const InputFile& file) {
  return file.compression == Compression::kNone && file.format != RecordFormat::kParquet &&
         file.format != RecordFormat::kArchive;
}

// What is known of the stream of a file: nothing, or its length.
std::optional<double> KnownStream(const InputFile& file, std::optional<uint64_t> rows,
                                  const SampledFile* taken, bool& guessed) {
  const auto size = static_cast<double>(file.identity.size);
  if (taken != nullptr && taken->is_whole) return static_cast<double>(taken->stream_bytes);
  if (IsPlain(file)) return size;
  if (file.format == RecordFormat::kParquet) {
    return rows ? std::optional(static_cast<double>(*rows)) : std::nullopt;
  }
  guessed = true;
  if (taken == nullptr || taken->measured_file == 0) return std::nullopt;
  return size * static_cast<double>(taken->measured_stream) /
         static_cast<double>(taken->measured_file);
}

struct Moments {
  double documents = 0, stream = 0;
};

Moments SumOf(const FileKind& kind) {
  Moments sum;
  for (const SampledUnit* unit : kind.units) {
    sum.documents += static_cast<double>(unit->documents);
    sum.stream += static_cast<double>(unit->stream);
  }
  return sum;
}

// The standard deviation of documents to a byte of a stream, as a share of them.
double ErrorOf(const FileKind& kind, const Moments& sum) {
  const double left = 1 - std::min(sum.stream / kind.stream, 1.0);
  if (left <= 0) return 0;
  const auto n = static_cast<double>(kind.units.size());
  if (n < 2 || sum.documents == 0) return kErrorOfOnePlace * left;
  const double density = sum.documents / sum.stream;
  double squares = 0;
  for (const SampledUnit* unit : kind.units) {
    const double residual =
        static_cast<double>(unit->documents) - density * static_cast<double>(unit->stream);
    squares += residual * residual;
  }
  const double error = std::sqrt(left * squares / (n * (n - 1))) / (sum.documents / n);
  return std::hypot(error, kind.is_guessed ? kErrorOfRatio * left : 0);
}

}  // namespace

ExpectedSize ExpectSize(const DedupInputs& inputs, const std::vector<std::optional<uint64_t>>& rows,
                        const SampleRun& run) {
  std::vector<const SampledFile*> taken(inputs.files.size());
  for (size_t i = 0; i < run.files.size(); ++i) taken[run.files[i]] = &run.taken[i];
  std::map<KindKey, FileKind> kinds;
  for (size_t f = 0; f < inputs.files.size(); ++f) {
    const InputFile& file = inputs.files[f];
    const auto size = static_cast<double>(file.identity.size);
    FileKind& kind = kinds[KindOf(file)];
    const auto known = KnownStream(file, rows[f], taken[f], kind.is_guessed);
    kind.file_bytes += size;
    kind.stream += known.value_or(0);
    (known ? kind.known_bytes : kind.unknown_bytes) += size;
  }
  for (const SampledUnit& unit : run.found.units) {
    kinds[KindOf(inputs.files[run.files[unit.file]])].units.push_back(&unit);
  }
  ExpectedSize size;
  double seen_bytes = 0, unseen_bytes = 0;  // of files whose kind is in the sample, or not
  double variance = 0;
  for (auto& [key, kind] : kinds) {
    // Files that were not opened are as those that were.
    if (kind.known_bytes > 0) {
      kind.stream += kind.unknown_bytes * kind.stream / kind.known_bytes;
    }
    const Moments sum = SumOf(kind);
    if (sum.stream == 0) {
      if (!kind.units.empty() || kind.stream == 0) continue;
      unseen_bytes += kind.file_bytes;
      continue;
    }
    kind.stream = std::max(kind.stream, sum.stream);
    seen_bytes += kind.file_bytes;
    const double growth = kind.stream / sum.stream;
    const double documents = sum.documents * growth;
    size.documents += documents;
    const double error = ErrorOf(kind, sum) * documents;
    variance += error * error;
  }
  if (seen_bytes > 0 && unseen_bytes > 0) {
    const double growth = 1 + unseen_bytes / seen_bytes;
    const double error = kErrorOfOnePlace * 5 * size.documents * (growth - 1);
    size.documents *= growth;
    variance = variance * growth * growth + error * error;
  }
  size.documents_error = std::sqrt(variance);
  return size;
}

}  // namespace zhiwen
