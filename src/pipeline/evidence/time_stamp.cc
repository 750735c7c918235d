#include "pipeline/evidence/time_stamp.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <ctime>
#include <memory>
#include <utility>

#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/obj_mac.h>
#include <openssl/pem.h>
#include <openssl/pkcs7.h>
#include <openssl/ts.h>
#include <openssl/x509.h>

#include <fmt/format.h>

#include "base/json/json_writer.h"

namespace zhiwen {
namespace {

template <auto release>
struct Releaser {
  template <typename T>
  void operator()(T* object) const {
    release(object);
  }
};
template <typename T, auto release>
using Owned = std::unique_ptr<T, Releaser<release>>;

void FreeCertificates(STACK_OF(X509) * certificates) { sk_X509_pop_free(certificates, X509_free); }
using Certificates = Owned<STACK_OF(X509), FreeCertificates>;
using Token = Owned<PKCS7, PKCS7_free>;
using TokenInfo = Owned<TS_TST_INFO, TS_TST_INFO_free>;
using Store = Owned<X509_STORE, X509_STORE_free>;

// OpenSSL would read openssl.cnf where the environment says; nothing here depends on it.
void BeginWithoutSettings() { OPENSSL_init_crypto(OPENSSL_INIT_NO_LOAD_CONFIG, nullptr); }

// Returns what `encode`, an i2d function, writes of an object.
template <typename Object, typename Encode>
std::string EncodeDer(Object* object, Encode encode) {
  unsigned char* bytes = nullptr;
  const int size = encode(object, &bytes);
  const Owned<unsigned char, [](unsigned char* one) { OPENSSL_free(one); }> owner(bytes);
  return size <= 0 ? std::string() : std::string(bytes, bytes + size);
}

// Returns what `decode`, a d2i function, reads; null where `der` is not exactly one such object.
template <typename Decode>
auto DecodeDer(std::string_view der, Decode decode) {
  const auto* at = reinterpret_cast<const unsigned char*>(der.data());
  const unsigned char* const end = at + der.size();
  auto* const object = decode(nullptr, &at, static_cast<long>(der.size()));
  return std::pair(object, at == end);
}

Token DecodeToken(std::string_view der) {
  const auto [decoded, is_all] = DecodeDer(der, d2i_PKCS7);
  Token token(decoded);
  return is_all && token && PKCS7_type_is_signed(token.get()) ? std::move(token) : nullptr;
}

std::vector<uint8_t> BytesOfHex(std::string_view hex) {
  std::vector<uint8_t> bytes;
  for (size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes.push_back(static_cast<uint8_t>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16)));
  }
  return bytes;
}

Result<Certificates> ReadCertificates(std::string_view pem) {
  const Owned<BIO, BIO_free> source(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
  Certificates out(sk_X509_new_null());
  while (X509* const one = PEM_read_bio_X509(source.get(), nullptr, nullptr, nullptr)) {
    sk_X509_push(out.get(), one);
  }
  const bool is_at_end = ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE;
  ERR_clear_error();
  if (sk_X509_num(out.get()) == 0) {
    return Fail(ErrorCode::kUnreadable,
                "it has no certificate in PEM form (openssl x509 -inform der makes one of DER)");
  }
  if (!is_at_end) {
    return Fail(ErrorCode::kUnreadable,
                fmt::format("its certificate {} is damaged", sk_X509_num(out.get()) + 1));
  }
  return out;
}

std::string SubjectOf(const X509* certificate) {
  const Owned<BIO, BIO_free> out(BIO_new(BIO_s_mem()));
  // Commas between parts, characters in UTF-8.
  X509_NAME_print_ex(out.get(), X509_get_subject_name(certificate), 0,
                     XN_FLAG_ONELINE & ~ASN1_STRFLGS_ESC_MSB & ~XN_FLAG_SPC_EQ);
  char* text = nullptr;
  const long size = BIO_get_mem_data(out.get(), &text);
  return std::string(text, static_cast<size_t>(std::max<long>(size, 0)));
}

std::optional<std::chrono::sys_seconds> TimeOf(const ASN1_TIME* time) {
  std::tm parts = {};
  if (time == nullptr || ASN1_TIME_to_tm(time, &parts) != 1) return std::nullopt;
  return std::chrono::sys_seconds(std::chrono::seconds(timegm(&parts)));
}

EvidenceFault FaultOf(int error) {
  switch (error) {
    case X509_V_ERR_CERT_HAS_EXPIRED:
    case X509_V_ERR_CERT_NOT_YET_VALID:
      return EvidenceFault::kExpired;
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT:
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
    case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
    case X509_V_ERR_CERT_UNTRUSTED:
      return EvidenceFault::kUnknownAuthority;
    default:
      return EvidenceFault::kBadSignature;
  }
}

std::string MessageOf(EvidenceFault fault, const std::string& subject, const X509* certificate,
                      int error) {
  if (fault == EvidenceFault::kUnknownAuthority) {
    return fmt::format("is of an unknown authority: no trusted certificate vouches for {}",
                       subject);
  }
  if (fault == EvidenceFault::kBadSignature) {
    return fmt::format("has a certificate that is not good for it, of {}: {}", subject,
                       X509_verify_cert_error_string(error));
  }
  const auto from = TimeOf(X509_get0_notBefore(certificate));
  const auto to = TimeOf(X509_get0_notAfter(certificate));
  return fmt::format("was made when the certificate of {} was not valid: that is so from {} to {}",
                     subject, from ? FormatUtc(*from) : "?", to ? FormatUtc(*to) : "?");
}

// Collects what is wrong with the certificates of a token, while OpenSSL goes through them.
struct ChainFindings {
  std::vector<TimeStampProblem> problems;
  bool asks_authority = false;
};

int TakeChainError(int is_good, X509_STORE_CTX* context) {
  if (is_good == 1) return 1;
  auto* const findings =
      static_cast<ChainFindings*>(X509_STORE_get_ex_data(X509_STORE_CTX_get0_store(context), 0));
  const int error = X509_STORE_CTX_get_error(context);
  const EvidenceFault fault = FaultOf(error);
  const bool is_known = std::ranges::any_of(
      findings->problems, [&](const TimeStampProblem& one) { return one.fault == fault; });
  if (!is_known && (fault != EvidenceFault::kUnknownAuthority || findings->asks_authority)) {
    const X509* const certificate = X509_STORE_CTX_get_current_cert(context);
    const std::string subject =
        certificate == nullptr ? std::string("the authority") : SubjectOf(certificate);
    findings->problems.push_back({fault, MessageOf(fault, subject, certificate, error)});
  }
  return 1;  // goes on: the signature is looked at as well
}

class TokenCheck {
 public:
  TokenCheck(std::string_view token, std::string_view sha256) : sha256_(sha256) {
    token_ = DecodeToken(token);
    if (token_) info_.reset(PKCS7_to_TS_TST_INFO(token_.get()));
    const ASN1_TIME* const time = info_ ? TS_TST_INFO_get_time(info_.get()) : nullptr;
    time_ = TimeOf(time);
  }

  Result<TimeStampCheck> Run(std::string_view chain, const std::optional<std::string>& authorities);

 private:
  void CheckImprint();
  Result<Store> MakeStore(const std::optional<std::string>& authorities);
  void CheckSignature(Store store, Certificates chain);
  void Add(EvidenceFault fault, std::string message) {
    out_.problems.push_back({fault, std::move(message)});
  }

  const std::string_view sha256_;
  Token token_;
  TokenInfo info_;
  std::optional<std::chrono::sys_seconds> time_;
  ChainFindings findings_;
  TimeStampCheck out_;
};

void TokenCheck::CheckImprint() {
  TS_MSG_IMPRINT* const imprint = TS_TST_INFO_get_msg_imprint(info_.get());
  const ASN1_OBJECT* algorithm = nullptr;
  X509_ALGOR_get0(&algorithm, nullptr, nullptr, TS_MSG_IMPRINT_get_algo(imprint));
  const ASN1_OCTET_STRING* const stamped = TS_MSG_IMPRINT_get_msg(imprint);
  const uint8_t* const begin = ASN1_STRING_get0_data(stamped);
  const bool is_it =
      OBJ_obj2nid(algorithm) == NID_sha256 &&
      std::ranges::equal(std::span(begin, ASN1_STRING_length(stamped)), BytesOfHex(sha256_));
  if (!is_it) {
    Add(EvidenceFault::kOtherData,
        "stamps other data: its hash is not the SHA-256 of the manifest");
  }
}

Result<Store> TokenCheck::MakeStore(const std::optional<std::string>& authorities) {
  Store store(X509_STORE_new());
  if (authorities) {
    ZHIWEN_ASSIGN_OR_RETURN(const Certificates trusted, ReadCertificates(*authorities));
    for (int i = 0; i < sk_X509_num(trusted.get()); ++i) {
      X509_STORE_add_cert(store.get(), sk_X509_value(trusted.get(), i));
    }
  }
  // The certificate of the authority itself may be the trusted one, not its root alone.
  X509_STORE_set_flags(store.get(), X509_V_FLAG_PARTIAL_CHAIN);
  X509_VERIFY_PARAM_set_time(X509_STORE_get0_param(store.get()), time_->time_since_epoch().count());
  findings_.asks_authority = authorities.has_value();
  X509_STORE_set_ex_data(store.get(), 0, &findings_);
  X509_STORE_set_verify_cb(store.get(), TakeChainError);
  return store;
}

void TokenCheck::CheckSignature(Store store, Certificates chain) {
  if (sk_PKCS7_SIGNER_INFO_num(PKCS7_get_signer_info(token_.get())) != 1) {
    return Add(EvidenceFault::kMalformed,
               "is no token of a time stamp: such a token has one signature");
  }
  const Owned<STACK_OF(X509), [](STACK_OF(X509) * one) { sk_X509_free(one); }> signers(
      PKCS7_get0_signers(token_.get(), chain.get(), 0));
  if (!signers || sk_X509_num(signers.get()) != 1) {
    return Add(EvidenceFault::kUnknownAuthority,
               "comes without the certificate of its authority; it has to be in the chain that is "
               "added with it");
  }
  out_.stamp.authority = SubjectOf(sk_X509_value(signers.get(), 0));
  const Owned<TS_VERIFY_CTX, TS_VERIFY_CTX_free> context(TS_VERIFY_CTX_new());
  TS_VERIFY_CTX_set_flags(context.get(), TS_VFY_SIGNATURE | TS_VFY_VERSION);
  TS_VERIFY_CTX_set_store(context.get(), store.release());
  TS_VERIFY_CTX_set_certs(context.get(), chain.release());
  const bool is_signed = TS_RESP_verify_token(context.get(), token_.get()) == 1;
  std::ranges::move(findings_.problems, std::back_inserter(out_.problems));
  if (!is_signed) {
    Add(EvidenceFault::kBadSignature, "is not signed by the certificate that it names");
  }
}

Result<TimeStampCheck> TokenCheck::Run(std::string_view chain,
                                       const std::optional<std::string>& authorities) {
  if (!token_ || !info_ || !time_) {
    Add(EvidenceFault::kMalformed, "is no token of a time stamp (RFC 3161)");
    return std::move(out_);
  }
  out_.stamp.time = FormatUtc(*time_);
  CheckImprint();
  Certificates certificates(sk_X509_new_null());
  if (!chain.empty()) {
    ZHIWEN_ASSIGN_OR_RETURN(certificates, ReadCertificates(chain));
  }
  ZHIWEN_ASSIGN_OR_RETURN(Store store, MakeStore(authorities));
  CheckSignature(std::move(store), std::move(certificates));
  out_.stamp.is_authority_known = authorities.has_value() && out_.problems.empty();
  return std::move(out_);
}

}  // namespace

Result<std::string> MakeTimeStampRequest(std::string_view sha256) {
  BeginWithoutSettings();
  const Owned<TS_REQ, TS_REQ_free> request(TS_REQ_new());
  const Owned<TS_MSG_IMPRINT, TS_MSG_IMPRINT_free> imprint(TS_MSG_IMPRINT_new());
  const Owned<X509_ALGOR, X509_ALGOR_free> algorithm(X509_ALGOR_new());
  std::vector<uint8_t> hash = BytesOfHex(sha256);
  X509_ALGOR_set0(algorithm.get(), OBJ_nid2obj(NID_sha256), V_ASN1_NULL, nullptr);
  const bool is_made =
      TS_REQ_set_version(request.get(), 1) == 1 &&
      TS_MSG_IMPRINT_set_algo(imprint.get(), algorithm.get()) == 1 &&
      TS_MSG_IMPRINT_set_msg(imprint.get(), hash.data(), static_cast<int>(hash.size())) == 1 &&
      TS_REQ_set_msg_imprint(request.get(), imprint.get()) == 1 &&
      TS_REQ_set_cert_req(request.get(), 1) == 1;
  std::string der = is_made ? EncodeDer(request.get(), i2d_TS_REQ) : std::string();
  if (!der.empty()) return der;
  return Fail(ErrorCode::kInternal, "the library OpenSSL makes no request for a time stamp");
}

Result<std::string> TokenOfReply(std::string_view reply) {
  BeginWithoutSettings();
  if (const Token token = DecodeToken(reply)) return EncodeDer(token.get(), i2d_PKCS7);
  const auto [decoded, is_all] = DecodeDer(reply, d2i_TS_RESP);
  const Owned<TS_RESP, TS_RESP_free> response(decoded);
  ERR_clear_error();
  if (!response || !is_all) {
    return Fail(ErrorCode::kUnreadable,
                "it is neither a token of a time stamp nor a reply of an authority (RFC 3161)");
  }
  if (PKCS7* const token = TS_RESP_get_token(response.get())) return EncodeDer(token, i2d_PKCS7);
  std::string why;
  const auto* const texts = TS_STATUS_INFO_get0_text(TS_RESP_get_status_info(response.get()));
  for (int i = 0; i < sk_ASN1_UTF8STRING_num(texts); ++i) {
    const ASN1_UTF8STRING* const text = sk_ASN1_UTF8STRING_value(texts, i);
    why.append(i == 0 ? ": " : ", ");
    why.append(reinterpret_cast<const char*>(ASN1_STRING_get0_data(text)),
               static_cast<size_t>(ASN1_STRING_length(text)));
  }
  return Fail(ErrorCode::kUnreadable, "the authority refused to stamp" + why);
}

Result<std::string> CertificatesOf(std::string_view pem) {
  BeginWithoutSettings();
  ZHIWEN_ASSIGN_OR_RETURN(const Certificates certificates, ReadCertificates(pem));
  const Owned<BIO, BIO_free> out(BIO_new(BIO_s_mem()));
  for (int i = 0; i < sk_X509_num(certificates.get()); ++i) {
    PEM_write_bio_X509(out.get(), sk_X509_value(certificates.get(), i));
  }
  char* text = nullptr;
  const long size = BIO_get_mem_data(out.get(), &text);
  return std::string(text, static_cast<size_t>(std::max<long>(size, 0)));
}

Result<std::string> ReadCertificateFile(FileSystem& files, const std::string& path) {
  ZHIWEN_ASSIGN_OR_RETURN(const std::string pem, ReadWholeFile(files, path, kMostTimeStampBytes));
  Result<std::string> certificates = CertificatesOf(pem);
  if (certificates) return certificates;
  return Fail(certificates.error().code,
              fmt::format("cannot read \"{}\": {}", path, certificates.error().message));
}

Result<TimeStampCheck> CheckTimeStamp(std::string_view token, std::string_view sha256,
                                      std::string_view chain,
                                      const std::optional<std::string>& authorities) {
  BeginWithoutSettings();
  Result<TimeStampCheck> check = TokenCheck(token, sha256).Run(chain, authorities);
  ERR_clear_error();
  return check;
}

}  // namespace zhiwen
