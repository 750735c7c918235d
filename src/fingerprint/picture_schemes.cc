// Schemes of pictures: the colours of blocks, and a perceptual hash.

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "fingerprint/channel_scheme.h"
#include "fingerprint/colour_grid.h"
#include "fingerprint/perceptual_hash.h"
#include "fingerprint/scheme_family.h"

namespace zhiwen {
namespace {

constexpr uint64_t kMostBlocks = 256;  // a side

constexpr std::string_view kPalettes[] = {"8", "16", "256"};
constexpr std::string_view kGridOrders[] = {"mode_first", "reduce_first"};
constexpr ParameterSpec kColourGridParameters[] = {
    {"colours", ParameterKind::kChoice, "256",
     "how many colours there are: 8, each a letter of the source; 16; 256 of two letters", 0, 0,
     kPalettes},
    {"columns", ParameterKind::kInteger, "16", "blocks from left to right", 2, kMostBlocks},
    {"order", ParameterKind::kChoice, "reduce_first",
     "a block's colour: the most frequent one, then reduced (the source), or the other way round",
     0, 0, kGridOrders},
    {"rows", ParameterKind::kInteger, "16", "blocks from top to bottom", 2, kMostBlocks},
};

constexpr std::string_view kTransforms[] = {"dct32"};
constexpr ParameterSpec kPhashParameters[] = {
    {"transform", ParameterKind::kChoice, "dct32",
     "what the bits are taken of: the cosine transform of 32 by 32 cells", 0, 0, kTransforms},
};

class PictureScheme : public Scheme {
 public:
  explicit PictureScheme(const ResolvedName& name) : canonical_name_(name.Print()) {}

  const std::string& canonical_name() const final { return canonical_name_; }
  bool uses_fields() const final { return true; }
  bool is_of_pictures() const final { return true; }

  Result<Fingerprint> Compute(std::string_view) const final {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("{} is made of pictures, and this is a text", canonical_name_));
  }

  Result<Fingerprint> ComputeDocument(const DocumentFields& document) const final {
    const std::optional<Picture> picture = ParsePicture(document.picture);
    return picture ? ComputeOf(*picture) : NoFingerprint();
  }

 private:
  virtual Fingerprint ComputeOf(const Picture& picture) const = 0;

  std::string canonical_name_;
};

class ColourGridScheme final : public PictureScheme {
 public:
  explicit ColourGridScheme(const ResolvedName& name)
      : PictureScheme(name),
        options_{.columns = name["columns"].integer,
                 .rows = name["rows"].integer,
                 .palette = PaletteOf(name["colours"].text),
                 .order = name["order"].text == "mode_first" ? GridOrder::kModeFirst
                                                             : GridOrder::kReduceFirst} {}

 private:
  static GridPalette PaletteOf(std::string_view colours) {
    return colours == "8"    ? GridPalette::k8
           : colours == "16" ? GridPalette::k16
                             : GridPalette::k256;
  }

  // Blocks that all have one colour say nothing: every other such picture has them.
  Fingerprint ComputeOf(const Picture& picture) const override {
    const std::string letters = ComputeColourGrid(picture, options_);
    const size_t width = LettersOfColour(options_.palette);
    if (letters.compare(width, std::string::npos, letters, 0, letters.size() - width) == 0) {
      return NoFingerprint();
    }
    return FingerprintBytes(letters.begin(), letters.end());
  }

  ColourGridOptions options_;
};

class PhashScheme final : public PictureScheme {
 public:
  explicit PhashScheme(const ResolvedName& name) : PictureScheme(name) {}

 private:
  Fingerprint ComputeOf(const Picture& picture) const override {
    const std::optional<uint64_t> hash = ComputePerceptualHash(picture);
    if (!hash) return NoFingerprint();
    FingerprintBytes bytes;
    AppendBigEndian(bytes, *hash, sizeof(*hash));
    return bytes;
  }
};

}  // namespace

constinit const SchemeFamily kColourGridScheme = {
    .name = {"colour_grid", 1, "colours", kColourGridParameters},
    .source = "语义指纹: 网络爬虫全解析, 色阶图方法",
    .input = "the pixels of a picture",
    .value = "two letters a block, one of 8 and 16 colours (docs/formats/pictures.md)",
    .distance = "the share of blocks with other colours",
    .use_for = "copies of a picture with their colours: scaled, stretched, recompressed",
    .not_for = "cut, mirrored, brighter or grey copies; texts",
    .measure = "blocks*",
    .threshold = 0.88,
    .threshold_meaning = "at least 0.88, of 256 colours",
    .create = CreateOf<ColourGridScheme>,
};

constinit const SchemeFamily kPhash64Scheme = {
    .name = {"phash64", 1, "transform", kPhashParameters},
    .source = "C. Zauner, Implementation and Benchmarking of Perceptual Image Hash Functions, 2010",
    .input = "the brightness of a picture",
    .value = "8 bytes (docs/formats/pictures.md)",
    .distance = "few differing bits mean that coarse shapes and shades are alike",
    .use_for = "copies of a picture, found in an index of codes: scaled, grey, brighter, blurred",
    .not_for = "cut, mirrored or turned copies; what differs in colour alone; texts",
    .measure = "equal_bits",
    .threshold = 54.0 / 64,
    .threshold_meaning = "at most 10 of 64 bits differ",
    .create = CreateOf<PhashScheme>,
};

}  // namespace zhiwen
