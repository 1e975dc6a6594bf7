import { expect, test } from 'bun:test'
import { Profile } from '@garmin/fitsdk'
import { MANUFACTURERS, nameOf, productName, SPORTS } from '../../../src/formats/fit/names.ts'

/** A table of the SDK's profile: number to its camelCase name. */
function sdkNames(type: string): [number, string][] {
  const types = Profile.types as unknown as Record<string, Record<string, string>>
  return Object.entries(types[type]!).map(([number, name]) => [Number(number), name])
}

/** Letters and digits only, as both sides can be compared. */
function plain(name: string): string {
  return name
    .replace(/^Forerunner /, 'fr')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
}

/** The SDK's abbreviations in the form of the names we give. */
function expanded(name: string): string {
  return plain(name)
    .replace(/^fr(\d+)m(?=asia|$)/, 'fr$1music')
    .replace(/^vivoactive3m([lw]?)/, (_, lte) => `vivoactive3music${lte && 'lte'}`)
}

test('every sport of the SDK has its name, except running and the unspecific ones', () => {
  for (const [number, name] of sdkNames('sport')) {
    const ours = nameOf(SPORTS, number)
    if (['generic', 'running', 'all'].includes(name)) expect(ours).toBeNull()
    else expect(plain(ours ?? '')).toBe(plain(name))
  }
})

test('makers carry the name that the SDK gives their number', () => {
  const known = sdkNames('manufacturer').filter(([number]) => nameOf(MANUFACTURERS, number) !== null)
  expect(known.length).toBeGreaterThan(50)
  for (const [number, name] of known) {
    // Seiko Epson is Epson to runners, i.e. the SDK's name contains ours.
    expect([number, plain(name)]).toEqual([number, expect.stringContaining(plain(nameOf(MANUFACTURERS, number)!))])
  }
})

test('Garmin products carry the name that the SDK gives their number, but for regional variants', () => {
  const known = sdkNames('garminProduct').filter(([number]) => productName(1, number) !== null)
  expect(known.length).toBeGreaterThan(300)
  for (const [number, name] of known) {
    const ours = plain(productName(1, number)!)
    expect([number, expanded(name)]).toEqual([number, expect.stringMatching(new RegExp(`^${ours}`))])
  }
})
