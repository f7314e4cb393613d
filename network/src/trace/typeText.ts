import type { xdr } from '@stellar/stellar-sdk';

/** Maximum nesting depth of types. */
const MAX_DEPTH = 6;

/** A type of a contract's interface in Rust's notation. */
export function typeText(type: xdr.ScSpecTypeDef, depth = 0): string {
  if (depth > MAX_DEPTH) return '…';
  const of = (inner: xdr.ScSpecTypeDef): string => typeText(inner, depth + 1);
  switch (type.type) {
    case 'scSpecTypeOption':
      return `Option<${of(type.option.valueType)}>`;
    case 'scSpecTypeResult':
      return `Result<${of(type.result.okType)}, ${of(type.result.errorType)}>`;
    case 'scSpecTypeVec':
      return `Vec<${of(type.vec.elementType)}>`;
    case 'scSpecTypeMap':
      return `Map<${of(type.map.keyType)}, ${of(type.map.valueType)}>`;
    case 'scSpecTypeTuple':
      return `(${type.tuple.valueTypes.map(of).join(', ')})`;
    case 'scSpecTypeBytesN':
      return `BytesN<${type.bytesN.n}>`;
    case 'scSpecTypeUdt':
      return type.udt.name.toString();
    default:
      return simpleName(type.type.slice('scSpecType'.length));
  }
}

/** Numbers and `bool` are lower case in Rust. */
function simpleName(name: string): string {
  return /^([UI]\d+|Bool)$/.test(name) ? name.toLowerCase() : name;
}
