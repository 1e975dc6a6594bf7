import { expect, test } from 'bun:test'
import { parsedJson } from '../../src/formats/json.ts'

const LARGEST = 64 * 1024 * 1024

test.each<readonly [what: string, text: string, outcome: string]>([
  ['of 64 MiB is read', '[""]'.padEnd(LARGEST), 'read'],
  ['of a byte more is not', '[""]'.padEnd(LARGEST + 1), 'The JSON file is larger than 64 MiB'],
  ['of 3,500,000 values is read', `[0${',0'.repeat(3_500_000)}]`, 'read'],
  ['of one more is not', `[0${',0'.repeat(3_500_001)}]`, 'The JSON file has more than 3,500,000 values'],
  ['of a thousand lists in each other is read', '['.repeat(1000) + ']'.repeat(1000), 'read'],
  ['of one more is not', '['.repeat(1001) + ']'.repeat(1001), 'The Polar Flow file is cut or damaged'],
  ['of lists and objects in each other is not', '[{"a":'.repeat(501), 'The Polar Flow file is cut or damaged'],
  ['that is cut is not', '{"exercises":[', 'The Polar Flow file is cut or damaged'],
  ['with a byte order mark is read', '\uFEFF{}', 'read'],
])('a file %s', (_, text, outcome) => {
  const read = () => {
    parsedJson(Buffer.from(text), 'Polar Flow')
    return 'read'
  }
  if (outcome === 'read') expect(read()).toBe(outcome)
  else expect(read).toThrow(outcome)
})
