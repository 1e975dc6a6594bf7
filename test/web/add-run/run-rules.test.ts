import { expect, test } from 'bun:test'
import { Value } from '@sinclair/typebox/value'
import { ENTERED_RANGES } from '../../../src/engine/limits.ts'
import { ManualRun } from '../../../src/features/repair/schemas.ts'
import { RUN_RULES } from '../../../src/web/run-fields.tsx'

test('the form of a run refuses exactly the numbers that the service refuses', () => {
  for (const [name, [least, most]] of Object.entries(ENTERED_RANGES) as [
    keyof typeof ENTERED_RANGES,
    [number, number],
  ][]) {
    for (const value of [least - 1, least, most, most + 1]) {
      const isSent = Value.Check(ManualRun.properties[name], value)
      expect([name, value, RUN_RULES[name](String(value)) === null]).toEqual([name, value, isSent])
    }
    expect(RUN_RULES[name]('')).toBeNull()
    expect(RUN_RULES[name]('fast')).toBe(`Enter a whole number, ${least}–${most}`)
  }
})
