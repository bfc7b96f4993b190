// A servant of STYLE::Taker, whose class is in SKELETON, that writes down what it gets. Included by
// styles_fuzz.cc, once for each style.
#define CORBEL_JOINED(a, b) a##b
#define CORBEL_JOIN(a, b) CORBEL_JOINED(a, b)
class CORBEL_JOIN(TakerOf, STYLE) : public SKELETON::Taker {
 public:
  void numbers(CORBA::Octet a, CORBA::Short b, CORBA::Long c, CORBA::Double d, CORBA::Boolean e,
               CORBA::Char f, STYLE::Colour g, CORBA::WChar h, CORBA::LongDouble i) override {
    take(taken, a, b, c, d, e, f, static_cast<CORBA::ULong>(g));
    corbel::cpp::put_wchar(taken.out, h);
    corbel::cpp::put_long_double(taken.out, i);
  }
  void words(const char* a, const char* b, const CORBA::WChar* c) override {
    take(taken, a, b);
    corbel::cpp::put_wstring(taken.out, c);
  }
  void views(const STYLE::Octets& a, const STYLE::Shorts& b, const STYLE::Floats& c, const STYLE::Longs& d,
             const STYLE::Booleans& e, const STYLE::Chars& f) override {
    take(taken, a, b, c, d, e, f);
  }
  void flats(const STYLE::Gaps& a, const STYLE::Gapped& b, const STYLE::FewPlain& c, const STYLE::Tights& d,
             const STYLE::Plain& e) override {
    take(taken, a, b, c, d, e);
  }
  void more(const STYLE::AllNested& a, const STYLE::AllChecked& b, const STYLE::Strings& c,
            const STYLE::Grid d, const STYLE::Names e, const STYLE::Switched& f) override {
    take(taken, a, b, c, d[0], d[1], d[2], e[0].in(), e[1].in(), f);
  }
  void rest(STYLE::Node_ptr a, const STYLE::Objects& b, const STYLE::Texts& c, const STYLE::Money& d,
            const STYLE::Prices& e, STYLE::Marks f, const STYLE::Trees& g) override {
    corbel::cpp::put_object(taken.out, a);
    take(taken, b, c, d, e, f, g);
  }
  void values(const CORBA::Any& a, STYLE::Label* b, CORBA::ValueBase* c, STYLE::Described_ptr d,
              const STYLE::Shared& e, const STYLE::OfValues& f, const CORBA::Any& g) override {
    const corbel::cpp::WrittenValues scope(taken.out);
    take(taken, a, e, f, g);
    corbel::cpp::put_value(taken.out, b);
    corbel::cpp::put_value(taken.out, c);
    corbel::cpp::put_abstract(taken.out, d);
  }
  using SKELETON::Taker::_dispatch;
  Taken taken;
};
#undef CORBEL_JOIN
#undef CORBEL_JOINED
