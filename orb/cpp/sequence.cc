#include <corbel/cpp/sequence.h>

namespace corbel::cpp {

template class BasicSequence<ValueElements<CORBA::Boolean>, 0>;
template class BasicSequence<ValueElements<CORBA::Octet>, 0>;
template class BasicSequence<ValueElements<CORBA::Char>, 0>;
template class BasicSequence<ValueElements<CORBA::Short>, 0>;
template class BasicSequence<ValueElements<CORBA::UShort>, 0>;
template class BasicSequence<ValueElements<CORBA::Long>, 0>;
template class BasicSequence<ValueElements<CORBA::ULong>, 0>;
template class BasicSequence<ValueElements<CORBA::LongLong>, 0>;
template class BasicSequence<ValueElements<CORBA::ULongLong>, 0>;
template class BasicSequence<ValueElements<CORBA::Float>, 0>;
template class BasicSequence<ValueElements<CORBA::Double>, 0>;
template class BasicSequence<StringElements, 0>;

}  // namespace corbel::cpp
