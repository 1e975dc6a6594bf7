import { RECORD } from './profile.ts'
import type { DeveloperPower } from './records.ts'
import type { FieldDefinition, FitMessage } from './values.ts'

const NATIVE_POWER_FIELD = 7

/** How the developer fields that carry power are written, by the key of `developerKey`. */
export type PowerDescriptions = Map<number, { readonly type: number; readonly scale: number; readonly offset: number }>

/** Notes a field_description of power: named Power, as by Stryd, or declared as the record's native power. */
export function describePower(message: FitMessage, powers: PowerDescriptions): void {
  const { developerDataIndex, fieldDefinitionNumber, fitBaseTypeId, fieldName } = message
  if (typeof developerDataIndex !== 'number' || typeof fieldDefinitionNumber !== 'number') return
  if (typeof fitBaseTypeId !== 'number') return
  const key = developerKey(developerDataIndex, fieldDefinitionNumber)
  const isNamedPower = typeof fieldName === 'string' && fieldName.toLowerCase() === 'power'
  const isNative = message.nativeFieldNum === NATIVE_POWER_FIELD && (message.nativeMesgNum ?? RECORD) === RECORD
  if (!isNamedPower && !isNative) {
    powers.delete(key)
    return
  }
  const scale = typeof message.scale === 'number' && message.scale > 0 ? message.scale : 1
  const offset = typeof message.offset === 'number' ? message.offset : 0
  powers.set(key, { type: fitBaseTypeId & 31, scale, offset })
}

/**
 * Finds the power among the developer fields of a definition.
 * @param at where the list of developer fields begins: number, size and developer index of each
 * @param offset where the value of the first one begins in a message
 */
export function powerField(
  bytes: Uint8Array,
  { at, count, offset }: { at: number; count: number; offset: number },
  powers: PowerDescriptions,
): DeveloperPower | null {
  let valueAt = offset
  for (let i = 0; i < count; i += 1) {
    const [num = 0, size = 0, developer = 0] = bytes.subarray(at + 3 * i, at + 3 * i + 3)
    const described = powers.get(developerKey(developer, num))
    if (described) {
      const field: FieldDefinition = { num, size, type: described.type, offset: valueAt }
      return { field, scale: described.scale, offset: described.offset }
    }
    valueAt += size
  }
  return null
}

function developerKey(developerDataIndex: number, fieldNumber: number): number {
  return developerDataIndex * 256 + fieldNumber
}
