import { gzipSync } from 'node:zlib'
import { stravaCsv } from '../fixtures/csv.ts'
import { jpeg } from '../fixtures/media.ts'
import { fitRun, gpxRun } from '../fixtures/runs.ts'
import { steadyTcx, tcxFile } from '../fixtures/tcx.ts'
import { buildZip } from '../fixtures/zip-builder.ts'
import type { Planned } from './ledger.ts'
import type { Seed } from './mutate.ts'
import type { Random } from './random.ts'

const FIRST_MS = Date.UTC(2015, 0, 1, 6)
const HOUR_MS = 3_600_000

export interface MadeRun extends Planned {
  readonly file: Seed
}

/** Runs and photos of which no two are alike. */
export function maker(random: Random) {
  let runs = 0
  let photos = 0

  function photo(): Seed {
    photos += 1
    const bytes = jpeg(2000 + random.below(20_000))
    new DataView(bytes.buffer).setUint32(40, photos)
    return { name: `${photos}.jpg`, bytes }
  }

  function run(): MadeRun {
    runs += 1
    const startMs = FIRST_MS + runs * HOUR_MS
    const seconds = 60 + random.below(240)
    const speedMps = 2.5 + random.below(10) / 10
    const [extension, make] = random.of<readonly [string, () => Uint8Array]>([
      ['fit', () => fitRun({ startMs, seconds, speedMps })],
      ['fit.gz', () => gzipSync(fitRun({ startMs, seconds, speedMps }))],
      ['gpx', () => gpxRun({ startMs, seconds, speedMps, name: `Run ${runs}` })],
      ['tcx', () => tcxFile([steadyTcx({ n: seconds, startMs, speedMps })])],
    ])
    const bytes = new Uint8Array(make())
    const startedAt = new Date(startMs).toISOString().replace('.000Z', 'Z')
    return {
      startedAt,
      sha256: sha256(bytes),
      photos: new Map(),
      isAcknowledged: false,
      file: { name: `${runs}.${extension}`, bytes },
    }
  }

  /** An export of Strava. */
  function strava(count: number): { readonly zip: Seed; readonly runs: readonly Planned[] } {
    const entries: { name: string; data: Uint8Array; method: number }[] = []
    const made: Planned[] = []
    const rows = Array.from({ length: count }, (_, place) => {
      const one = run()
      const pictures = place % 3 === 0 ? [photo(), photo()] : []
      entries.push({ name: `activities/${one.file.name}`, data: one.file.bytes, method: 8 })
      for (const { name, bytes } of pictures) entries.push({ name: `media/${name}`, data: bytes, method: 0 })
      made.push({ ...one, photos: new Map(pictures.map(({ name, bytes }) => [name, sha256(bytes)])) })
      return {
        'Activity ID': runs,
        'Activity Date': 'Nov 1, 2025, 7:00:00 AM',
        'Activity Type': 'Run',
        Filename: `activities/${one.file.name}`,
        Media: pictures.map(({ name }) => `media/${name}`).join('|'),
      }
    })
    entries.push({ name: 'activities.csv', data: stravaCsv(rows), method: 8 })
    return { zip: { name: 'export.zip', bytes: buildZip(entries) }, runs: made }
  }

  return { run, photo, strava }
}

export type Maker = ReturnType<typeof maker>

export function sha256(bytes: Uint8Array): string {
  return new Bun.CryptoHasher('sha256').update(bytes).digest('hex')
}
