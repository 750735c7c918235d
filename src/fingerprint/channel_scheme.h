#ifndef ZHIWEN_FINGERPRINT_CHANNEL_SCHEME_H_
#define ZHIWEN_FINGERPRINT_CHANNEL_SCHEME_H_

// Base class of schemes that run on a channel. It holds the name and the channel, and checks the
// text.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "fingerprint/name_family.h"
#include "zhiwen/channel.h"
#include "zhiwen/scheme.h"

namespace zhiwen {

// The channel parameter, shared by all families that run on a channel.
inline constexpr ParameterSpec kChannelParameter = {"channel", ParameterKind::kChannel, "folded",
                                                    "the view of the text that is fingerprinted"};

class ChannelScheme : public Scheme {
 public:
  // `name` must have the parameter channel.
  explicit ChannelScheme(const ResolvedName& name)
      : canonical_name_(name.Print()), channel_(*name["channel"].channel) {}

  const std::string& canonical_name() const final { return canonical_name_; }
  Result<Fingerprint> Compute(std::string_view utf8) const final;

  const Channel& channel() const { return channel_; }

 protected:
  std::vector<uint32_t> SymbolsOf(std::string_view utf8) const;
  // Fails: kUnreadable, naming the first invalid byte.
  static Status CheckUtf8(std::string_view text);

 private:
  virtual Fingerprint ComputeValid(std::string_view utf8) const = 0;

  std::string canonical_name_;
  Channel channel_;
};

// Creates a scheme that cannot fail from its name, and from the resources if its constructor takes
// any.
template <typename Made>
Result<std::unique_ptr<Scheme>> CreateOf(const ResolvedName& name,
                                         [[maybe_unused]] const SchemeResources& resources) {
  if constexpr (std::is_constructible_v<Made, const ResolvedName&, const SchemeResources&>) {
    return std::make_unique<Made>(name, resources);
  } else {
    return std::make_unique<Made>(name);
  }
}

// Appends the low `size` bytes of `value`, most significant byte first.
void AppendBigEndian(FingerprintBytes& bytes, uint64_t value, int size);

}  // namespace zhiwen

#endif  // ZHIWEN_FINGERPRINT_CHANNEL_SCHEME_H_
