import { describe, expect, test } from 'bun:test'
import { type PulsedPass, samePulse, seasonName, seasonNumber } from '../../../src/engine/route/same-pulse.ts'

const SPRING = seasonNumber(2024, 4)
const SUMMER = seasonNumber(2024, 7)
const NEXT_SPRING = seasonNumber(2025, 4)

/** 300 s at 150 bpm, 2 s less a beat. */
const inSeason = (season: number, beats: readonly number[], baseS = 300): PulsedPass[] =>
  beats.map((bpm) => ({ season, heartRateBpm: bpm, movingS: baseS - 2 * (bpm - 150) }))

describe('at the same pulse', () => {
  const spring = inSeason(SPRING, [140, 145, 150, 155, 160])

  test('eight seconds faster than last spring, whatever the pulse', () => {
    for (const bpm of [138, 150, 163]) {
      const [pass] = inSeason(NEXT_SPRING, [bpm], 292)
      const found = samePulse(pass!, [...spring, pass!])!
      expect(found).toMatchObject({ season: SPRING, passes: 5 })
      expect(found.differenceS).toBeCloseTo(-8, 9)
      expect(found.secondsPerBpm).toBeCloseTo(-2, 9)
      expect(found.standardErrorS).toBeCloseTo(0, 6)
    }
  })

  test('the same season of the year before, else the last before', () => {
    const [pass] = inSeason(NEXT_SPRING, [150], 292)
    const summer = inSeason(SUMMER, [140, 150, 160], 310)
    expect(samePulse(pass!, [...spring, ...summer])!.season).toBe(SPRING)
    const few = [...spring.slice(0, 2), ...summer, ...inSeason(SUMMER - 4, [140, 150, 160])]
    expect(samePulse(pass!, few)).toMatchObject({ season: SUMMER, differenceS: expect.closeTo(-18, 9) })
  })

  test('the error is that of the scatter: seeded noise of 6 s', () => {
    const noisy = spring.map((pass, k) => ({ ...pass, movingS: pass.movingS + [6, -6, 0, -6, 6][k]! }))
    const { standardErrorS } = samePulse(inSeason(NEXT_SPRING, [150])[0]!, noisy)!
    // 144 over 3 degrees of freedom, once for the pass and a fifth for the mean
    expect(standardErrorS).toBeCloseTo(Math.sqrt(48 * 1.2), 9)
  })

  test('nothing of too few, of one pulse, of a pulse out of range, of a slope that rises, of later seasons', () => {
    const [pass] = inSeason(NEXT_SPRING, [150])
    const rising = spring.map((one) => ({ ...one, movingS: 600 - one.movingS }))
    const onePulse = inSeason(SPRING, [150, 150, 151, 150, 150, 151])
    for (const others of [spring.slice(0, 2), spring.slice(0, 4), onePulse, rising, []])
      expect(samePulse(pass!, others)).toBeNull()
    for (const other of [{ heartRateBpm: 166 }, { heartRateBpm: 134 }, { season: SPRING }])
      expect(samePulse({ ...pass!, ...other }, spring)).toBeNull()
  })
})

test('seasons are three months from December on, and the other half of the year down south', () => {
  const named = (year: number, month: number, latDeg = 52) => {
    const { name, year: ofYear } = seasonName(seasonNumber(year, month), latDeg)
    return `${name} ${ofYear}`
  }
  expect([12, 1, 2, 3, 5, 6, 8, 9, 11].map((month) => named(month === 12 ? 2023 : 2024, month))).toEqual([
    ...['winter 2024', 'winter 2024', 'winter 2024', 'spring 2024', 'spring 2024', 'summer 2024', 'summer 2024'],
    ...['autumn 2024', 'autumn 2024'],
  ])
  const south = [named(2024, 1, -34), named(2024, 12, -34), named(2024, 7, -34)]
  expect(south).toEqual(['summer 2024', 'summer 2025', 'winter 2024'])
})
