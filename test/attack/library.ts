import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Answer, type TestApp, testApp } from '../app.ts'
import { exported, restored } from '../archive/archives.ts'
import { danglingRows } from '../library/as-stored.ts'
import { Defect } from './attack.ts'

/** What an answer to a person must not hold: places and words of the machine. */
const LEAK =
  /\/tmp\/|SQLITE|sqlite|drizzle| at [\w.<>]+ \(|node_modules|\.ts:\d|undefined is not|Unexpected (token|end)|ENOENT|RangeError|TypeError/

/** @throws Defect for an answer that no request may bring about */
export function expectDecent(where: string, { status, headers, text, json }: Answer): void {
  const shown = `${where}: ${status} ${text.slice(0, 300)}`
  if (status >= 500) throw new Defect(shown)
  if (status < 400) return
  if (typeof json?.error !== 'string') throw new Defect(`No error text: ${shown} ${headers.get('content-type')}`)
  if (LEAK.test(json.error)) throw new Defect(`The machine shows: ${shown}`)
}

/** An error in the log is a defect, whatever the answer was. */
export function expectQuiet(app: TestApp): void {
  const error = app.logged.find((line) => line.startsWith('error'))
  if (error !== undefined) throw new Defect(`Logged: ${error}`)
}

/** Reads and exports everything that is stored, and restores the export elsewhere. @returns the number of runs */
export async function expectUsable(app: TestApp, { isRestored }: { readonly isRestored: boolean }): Promise<number> {
  const get = async (path: string) => {
    const answer = await app.call('GET', path)
    expectDecent(path, answer)
    return answer
  }
  const ids: string[] = []
  for (let page = 1; ; page += 1) {
    const { json } = await get(`/workouts?pageSize=100&page=${page}`)
    ids.push(...json.items.map((item: { id: string }) => item.id))
    if (page >= json.totalPages) break
  }
  for (const id of ids) {
    const { status, json } = await get(`/workouts/${id}`)
    if (status !== 200) throw new Defect(`A listed workout answers ${status}`)
    for (const part of ['samples', 'time-series', 'laps', 'intervals', 'sources', 'media', 'file'])
      await get(`/workouts/${id}/${part}`)
    if (json.hasRoute) await get(`/workouts/${id}/similar-routes`)
    if (json.splits.length !== json.splitsCount) throw new Defect(`${json.splits.length} of ${json.splitsCount} splits`)
  }
  for (const what of ['weekly', 'weekly-recap', 'relative-effort', 'best-efforts', 'yearly', 'yearly-weekly']) {
    await get(`/stats/${what}`)
  }
  for (const what of ['available-periods', 'available-years', 'insights']) await get(`/stats/${what}`)
  await get('/shoes')
  expectSoundDatabase(app)
  if (isRestored && ids.length > 0) await expectRestored(app, ids)
  return ids.length
}

function expectSoundDatabase({ deps }: TestApp): void {
  const broken = danglingRows(deps)
  if (broken.length > 0) throw new Defect(`Foreign keys are broken: ${JSON.stringify(broken.slice(0, 3))}`)
  const temporary = readdirSync(join(deps.config.dataDir, 'tmp'))
  if (temporary.length > 0) throw new Defect(`Temporary files are left: ${temporary}`)
}

/** An archive of the library gives the library again. */
async function expectRestored(app: TestApp, ids: readonly string[]): Promise<void> {
  const zip = await exported(app)
  await using other = await testApp()
  const { json } = await restored(other, zip)
  const stated = JSON.stringify({ ...json?.statistics?.workouts, errors: json?.errors, warnings: json?.warnings })
  const { imported = 0, skipped = 0 } = json?.statistics?.workouts ?? {}
  // two that a crop made alike are one by the rule of duplicates
  if (json?.success !== true || imported === 0 || imported + skipped !== ids.length) {
    throw new Defect(`Of an archive of ${ids.length} workouts is restored: ${stated.slice(0, 500)}`)
  }
  expectQuiet(other)
}
