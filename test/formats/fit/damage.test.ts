import { describe, expect, test } from 'bun:test'
import { MAX_ROWS } from '../../../src/engine/codec.ts'
import { decodeFit } from '../../../src/formats/fit/decode.ts'
import { fitFormat } from '../../../src/formats/fit/fit.ts'
import { fitSessions } from '../../../src/formats/fit/sessions.ts'
import { FormatError } from '../../../src/formats/format.ts'
import { seededRandom } from '../../fixtures/damage.ts'
import { type FitFileOptions, type FitSample, fitFile } from '../../fixtures/fit.ts'
import { chainedFit, FitWriter } from '../../fixtures/fit-writer.ts'
import { pairs } from '../../fixtures/pairs.ts'
import { workedMs } from '../../worked.ts'

const FLIPS = 2000
const CUTS = 64
/** No damage may make reading a few kilobytes take long. */
const SLOWEST_MS = 2000

const SAMPLES: readonly FitSample[] = Array.from({ length: 120 }, (_, t) => ({
  ...{ t, lat: 48 + 2e-5 * t, lon: 11 + 1e-5 * t, distanceM: 3 * t, elevM: 500 + (t % 7) },
  ...{ hr: 130 + (t % 9), cadence: 84.5 },
}))

const fixture = (options: Partial<FitFileOptions>) =>
  fitFile({
    startMs: Date.UTC(2024, 4, 5, 6, 7, 8),
    samples: SAMPLES,
    timer: pairs('0,0 50,4 60,0 119,4'),
    devices: [{ deviceIndex: 0, manufacturer: 1, product: 3113, deviceType: 4, sourceType: 5 }],
    localOffsetS: 7200,
    weather: { condition: 1, temperatureC: 20 },
    ...options,
  })

const FIXTURES: Readonly<Record<string, Uint8Array>> = {
  plain: fixture({}),
  'big-endian': fixture({ bigEndian: true, enhanced: true }),
  'compressed timestamps': fixture({ compressedTimestamps: true }),
  'developer fields': fixture({ samples: SAMPLES.map((sample) => ({ ...sample, strydW: 250 })) }),
  'several sessions': fixture({ session: [{ totalElapsedS: 60 }, { startS: 60 }] }),
  'without session': fixture({ session: null }),
  chained: chainedFit(fixture({}), fixture({ fileType: 2, samples: [] })),
}

/** Parses; whatever is wrong with the bytes, the outcome is activities or a FormatError, and soon. */
function expectOutcome(bytes: Uint8Array, what: string): 'run' | 'refused' {
  let outcome: 'run' | 'refused' = 'refused'
  const worked = workedMs(() => {
    try {
      expectSound(fitFormat.parse(bytes, { filename: 'run.fit' }).activities, what)
      outcome = 'run'
    } catch (error) {
      if (!(error instanceof FormatError)) throw new Error(`${what} threw ${error}`, { cause: error })
      expect(error.message).toMatch(/^[A-Z][^{}[\]<>]{10,}[^.]$/)
    }
  })
  expect(worked).toBeLessThan(SLOWEST_MS)
  return outcome
}

function expectSound(activities: ReturnType<typeof fitFormat.parse>['activities'], what: string): void {
  if (activities.length === 0) throw new Error(`${what} gave no activity`)
  for (const { recording, startedAtMs } of activities) {
    const { n, timeMs, timerOffMs } = recording!
    if (!(n > 0) || !Number.isFinite(startedAtMs)) throw new Error(`${what} gave an empty run`)
    for (let i = 0; i < n; i += 1) {
      if (!(timeMs[i]! >= (timeMs[i - 1] ?? startedAtMs))) throw new Error(`${what} gave times that step back`)
    }
    if (timerOffMs.some(([from, to]) => !(to > from))) throw new Error(`${what} gave an empty pause`)
  }
}

function seeded(seed: number): (below: number) => number {
  const random = seededRandom(seed)
  return (below) => random() % below
}

describe('a damaged file gives activities or a refusal', () => {
  for (const [name, bytes] of Object.entries(FIXTURES)) {
    test(`${name}, cut at every 1/${CUTS}`, () => {
      const outcomes = Array.from({ length: CUTS + 1 }, (_, i) => {
        const length = Math.floor((bytes.length * i) / CUTS)
        return expectOutcome(bytes.subarray(0, length), `${name} cut at ${length}`)
      })
      expect(outcomes[0]).toBe('refused')
      expect(outcomes.at(-1)).toBe('run')
      // The session comes last: what is cut before it is read as far as it goes.
      expect(outcomes[CUTS / 2]).toBe('run')
    })

    test(`${name}, with ${FLIPS} changed bytes`, () => {
      const random = seeded(bytes.length)
      const outcomes = { run: 0, refused: 0 }
      for (let i = 0; i < FLIPS; i += 1) {
        const damaged = bytes.slice()
        const at = random(bytes.length)
        damaged[at] = random(256)
        outcomes[expectOutcome(damaged, `${name} with byte ${at} = ${damaged[at]}`)] += 1
      }
      expect(outcomes.run).toBeGreaterThan(outcomes.refused)
    })

    test(`${name}, with ${FLIPS / 10} times eight changed bytes`, () => {
      const random = seeded(bytes.length + 1)
      for (let i = 0; i < FLIPS / 10; i += 1) {
        const damaged = bytes.slice()
        for (let k = 0; k < 8; k += 1) damaged[random(bytes.length)] = random(256)
        expectOutcome(damaged, `${name}, damage ${i}`)
      }
    })
  }

  test('noise behind a FIT header', () => {
    const random = seeded(7)
    for (let i = 0; i < 500; i += 1) {
      const noise = Uint8Array.from({ length: 2000 }, () => random(256))
      noise.set(FIXTURES.plain!.subarray(0, 14))
      expectOutcome(noise, `noise ${i}`)
    }
  })
})

describe('what a hostile file makes us keep is bounded', () => {
  test('a file of nothing but one-byte records is read up to the limit of rows', () => {
    const head = new FitWriter().define({ local: 0, global: 20, fields: [] }).finish({ dataSize: 0 }).subarray(0, 20)
    const bytes = new Uint8Array(3_000_000)
    bytes.set(head)
    const file = decodeFit(bytes)
    expect(file.records.n).toBe(MAX_ROWS - 1)
    expect(file.notes.at(-1)).toStartWith('too many records')
  })

  test('sessions that do not say when they began are one: each would take all records', () => {
    const session = [1, 9, 5].map((totalElapsedTime) => ({ row: 0, totalElapsedTime }))
    const sessions = fitSessions({ firstRow: 0, endRow: 0, messages: { session } })
    expect(sessions.map(({ message }) => message?.totalElapsedTime)).toEqual([9])
  })

  test('messages that fill the file are kept up to a limit', () => {
    const fields = [{ num: 2, type: 'uint8' }] as const
    const head = new FitWriter().define({ local: 0, global: 18, fields }).finish({ dataSize: 0 }).subarray(0, 23)
    const bytes = new Uint8Array(8_000_000)
    bytes.set(head)
    expect(decodeFit(bytes).parts[0]?.messages.session?.length).toBeLessThanOrEqual(500_001)
  })
})
