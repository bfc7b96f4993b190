// Made by corbel-idl from ignored-annotation.idl; do not edit.
#include "ignored-annotation.skel.h"
