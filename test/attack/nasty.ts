import type { Random } from './random.ts'

// Values that programs stumble over, wherever they stand.

export const NUMBERS: readonly string[] = [
  ...['0', '-0', '-1', '1', '0.1', '-0.000001', '1e-320', '1e308', '1e309', '-1e999', 'NaN', 'Infinity', '-Infinity'],
  ...['255', '256', '65535', '65536', '2147483647', '2147483648', '-2147483649', '4294967295', '4294967296'],
  ...['9007199254740992', '9007199254740993', '9223372036854775807', '9223372036854775808', '18446744073709551616'],
  ...['90', '90.0000001', '-90', '180', '180.0000001', '-180', '-180.1', '360', '1,5', '1.5.2', '1_000', '0x10', '1e'],
  ...['', ' ', '+7', '٣', '７', '.', '-', '9'.repeat(400), `0.${'3'.repeat(400)}`, '00000000000000000000001'],
]

export const TIMES: readonly string[] = [
  ...['2025-11-01T07:00:00Z', '2025-11-01T07:00:00', '2025-11-01 07:00:00', '2025-11-01T07:00:00.123456789Z'],
  ...['2025-11-01T24:00:00Z', '2025-02-30T07:00:00Z', '2025-13-01T00:00:00Z', '2025-11-01T07:60:61Z', '2025-11-01'],
  ...['1969-12-31T23:59:59Z', '1989-12-31T00:00:00Z', '0000-00-00T00:00:00Z', '-000001-01-01T00:00:00Z'],
  ...['9999-12-31T23:59:59.999Z', '+275760-09-13T00:00:00.000Z', '+275760-09-13T00:00:00.001Z', '2100-01-01T00:00:00Z'],
  ...['2025-11-01T07:00:00+14:00', '2025-11-01T07:00:00-99:99', '2025-11-01T07:00:00+', 'Nov 1, 2025, 7:00:00 AM'],
  ...['2016-12-31T23:59:60Z', '2025-10-26T02:30:00', 'yesterday', '1730444400', '1730444400000', '-1', ''],
]

export const TEXTS: readonly string[] = [
  ...['', ' ', '\0', '\u0001\u001f', '\r\n', '\t', '\\', '"', "'", '`', '%', '_', '%00'],
  ...['\ufeff', '\ufffe', '\u202egpj', '\ud800', '\udfff\ud83d', '👩‍👩‍👧‍👦'],
  ...['e\u0301'.repeat(40), 'İ', 'ß', '\u2028', 'a'.repeat(256), 'ü'.repeat(5000)],
  ...['../../etc/passwd', '/etc/passwd', 'C:\\x', 'con', '.', '..', '__proto__', 'constructor', 'toString', 'null'],
  ...['<b>', ']]>', '<!--', '-->', '<![CDATA[', '&', '&amp', '&#0;', '&#x110000;', '&lol;', '<?x', '</', '<a b=">"/>'],
  ...["'; DROP TABLE workout; --", '=1+1', 'x\u0000y', '{}', '[]', 'true', '[object Object]', 'Run', 'Race'],
]

export function nastyText(random: Random): string {
  const kind = random.below(10)
  if (kind < 5) return random.of(TEXTS)
  if (kind < 7) return random.of(NUMBERS)
  if (kind < 9) return random.of(TIMES)
  return random.of(TEXTS).repeat(1 + random.below(2000))
}

/** Any value that JSON can hold. */
export function nastyValue(random: Random): unknown {
  const kind = random.below(12)
  if (kind < 4) return nastyText(random)
  if (kind < 8) return Number(random.of(NUMBERS)) || random.of([0, -0, 1e308, -5e-324, 0.1, 2 ** 53, -1, 7])
  if (kind === 8) return random.of([true, false, null])
  if (kind === 9) return random.of([[], {}, [[]], [null], { a: 1 }, ['x', 1, null]])
  if (kind === 10) return nested(1 + random.below(200))
  return Array.from({ length: random.below(300) }, (_, i) => i)
}

function nested(depth: number): unknown {
  let value: unknown = 1
  for (let i = 0; i < depth; i += 1) value = i % 2 === 0 ? [value] : { a: value }
  return value
}
