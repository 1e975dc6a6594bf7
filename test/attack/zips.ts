import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openZip } from '../../src/zip/reader.ts'
import { ZipError } from '../../src/zip/zip-error.ts'
import { zipOf } from '../archive/archives.ts'
import { fitRun } from '../fixtures/runs.ts'
import { type BuiltEntry, buildZip } from '../fixtures/zip-builder.ts'
import { type Attack, Defect } from './attack.ts'
import { mutated, type Seed } from './mutate.ts'
import { TEXTS } from './nasty.ts'
import type { Random } from './random.ts'
import { stravaTable } from './seeds.ts'

const FIELDS = [0, 1, 7, 22, 30, 46, 0x7f, 0xff, 0xffff, 0x7fffffff, 0xfffffffe, 0xffffffff]
const MAX_UNPACKED_BYTES = 64 * 1024 * 1024

/** ZIP archives: opened, and every entry read. */
export const zips: Attack = {
  name: 'zips',
  share: 0.05,
  prepare: async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'harrier-fuzz-zip-')), 'a.zip')
    const seeds = await zipSeeds()
    return async ({ random, input }) => {
      const bytes = random.chance(0.4) ? lying(random) : mutated(random.of(seeds), random, seeds)
      await Bun.write(path, bytes)
      const isRead = await input({ name: 'a.zip', bytes }, () => readAll(path))
      return { inputs: 1, accepted: isRead ? 1 : 0 }
    }
  },
}

async function zipSeeds(): Promise<readonly Seed[]> {
  const entries = stravaEntries()
  const text = 'a'.repeat(3000)
  return [
    { name: 'strava.zip', bytes: buildZip(entries) },
    { name: 'folder.zip', bytes: buildZip(entries.map((entry) => ({ ...entry, name: `export_1/${entry.name}` }))) },
    { name: 'zip64.zip', bytes: buildZip(entries, { isZip64: true, comment: 'of a packer', before: 'MZ' }) },
    { name: 'streamed.zip', bytes: await zipOf({ 'activities.csv': stravaTable(), 'a/b.txt': text, 'ü.txt': '' }) },
    { name: 'nested.zip', bytes: buildZip([{ name: 'a.zip', data: buildZip(entries) }, ...entries]) },
  ]
}

function stravaEntries(): BuiltEntry[] {
  return [
    { name: 'activities/', data: '' },
    { name: 'activities/1.fit', data: fitRun({ seconds: 40 }), method: 8 },
    { name: 'activities.csv', data: stravaTable(), method: 8 },
    { name: 'media.csv', data: 'Media Filename,Media Caption\nmedia/1.jpg,Top', method: 8 },
    { name: 'media/1.jpg', data: 'not a picture' },
  ]
}

/** A whole archive of which some fields lie. */
function lying(random: Random): Uint8Array {
  const field = () => (random.chance(0.3) ? { value: random.of(FIELDS) } : {})
  const claim = (key: string) => {
    const { value } = field()
    return value === undefined ? {} : { [key]: value }
  }
  const entries = stravaEntries().map((entry): BuiltEntry => {
    if (random.chance(0.5)) return entry
    const name = random.chance(0.3) ? random.of(TEXTS).slice(0, 60_000) : random.of([entry.name, 'activities.csv'])
    return {
      ...entry,
      name,
      ...(random.chance(0.2) ? { method: random.of([0, 8, 9, 12, 99]) } : {}),
      ...(random.chance(0.2) ? { flags: random.below(65_536) } : {}),
      ...(random.chance(0.2) ? { attributes: random.of([0xa1ff0000, 0x10, 0xffffffff]) } : {}),
      claims: { ...claim('size'), ...claim('compressedSize'), ...claim('crc'), ...claim('offset') },
    }
  })
  const claims = {
    ...claim('start'),
    ...claim('length'),
    ...(random.chance(0.2) ? { count: random.below(70_000) } : {}),
  }
  const options = { isZip64: random.chance(0.3), comment: random.chance(0.3) ? random.of(TEXTS).slice(0, 9000) : '' }
  return buildZip(entries, { ...options, claims, after: random.chance(0.2) ? Buffer.alloc(random.below(70_000)) : '' })
}

/** @returns false when the archive as a whole is refused */
async function readAll(path: string): Promise<boolean> {
  const zip = await openZip(path, { maxUnpackedBytes: MAX_UNPACKED_BYTES }).catch(refusal)
  if (zip === null) return false
  try {
    for (const entry of zip.entries()) {
      const bytes = await zip.bytes(entry, MAX_UNPACKED_BYTES).catch(refusal)
      if (bytes === null) continue
      if (bytes.length !== entry.size) throw new Defect(`${bytes.length} bytes instead of ${entry.size}`)
      if (entry.problem !== null) throw new Defect(`An entry that is ${entry.problem} is read`)
      if (/(^|\/)\.\.(\/|$)|^\/|\\|\0/.test(entry.name)) throw new Defect(`${entry.name} is read`)
    }
    return true
  } finally {
    await zip.close()
  }
}

function refusal(error: unknown): null {
  if (error instanceof ZipError) return null
  throw error
}
