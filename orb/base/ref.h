// Intrusive reference counting.
#pragma once

#include <atomic>
#include <concepts>
#include <cstdint>
#include <utility>

namespace corbel::base {

// Base of counted objects; the count starts at 1 and belongs to whoever made the object. Thread-safe.
class RefCounted {
 public:
  void add_ref() const { count_.fetch_add(1, std::memory_order_relaxed); }
  void remove_ref() const {
    if (count_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }
  std::uint32_t ref_count() const { return count_.load(std::memory_order_relaxed); }
  RefCounted(const RefCounted&) = delete;
  RefCounted& operator=(const RefCounted&) = delete;

 protected:
  RefCounted() = default;
  virtual ~RefCounted() = default;

 private:
  mutable std::atomic<std::uint32_t> count_{1};
};

// Owns one count of a RefCounted. As safe as a std::shared_ptr.
template <typename T>
class Ref {
 public:
  Ref() = default;
  Ref(std::nullptr_t) {}
  static Ref adopt(T* p) {
    Ref r;
    r.p_ = p;
    return r;
  }
  static Ref share(T* p) {
    if (p) p->add_ref();
    return adopt(p);
  }
  Ref(const Ref& o) : p_(o.p_) {
    if (p_) p_->add_ref();
  }
  Ref(Ref&& o) noexcept : p_(std::exchange(o.p_, nullptr)) {}
  template <std::derived_from<T> U>
  Ref(Ref<U> o) noexcept : p_(o.release()) {}
  Ref& operator=(const Ref& o) noexcept { return *this = Ref(o); }
  Ref& operator=(Ref&& o) noexcept {
    T* const old = std::exchange(p_, std::exchange(o.p_, nullptr));
    if (old) old->remove_ref();
    return *this;
  }
  ~Ref() {
    if (p_) p_->remove_ref();
  }
  T* get() const { return p_; }
  T* release() { return std::exchange(p_, nullptr); }
  T* operator->() const { return p_; }
  T& operator*() const { return *p_; }
  explicit operator bool() const { return p_ != nullptr; }
  bool operator==(const Ref& o) const { return p_ == o.p_; }

 private:
  T* p_ = nullptr;
};

template <typename T, typename... Args>
Ref<T> make_ref(Args&&... args) {
  return Ref<T>::adopt(new T(std::forward<Args>(args)...));
}

}  // namespace corbel::base
