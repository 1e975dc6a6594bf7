// Makes the recordings again (README.md): `library` fills one and packs it, `answers` records what this code answers.
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SCHEMA_VERSION } from '../../../src/db/migrate.ts'
import { openDb } from '../../../src/db/open.ts'
import { testApp } from '../../app.ts'
import { answered, answersPath, everyCall, type Recorded, waysBack } from './answers.ts'
import { hourlyWeather } from './fill/filling.ts'
import { fillLibrary } from './fill/library.ts'
import { filesOf, LIBRARIES, type Library, opened, packed, RECORDED_MS, settled } from './library.ts'

async function makeLibrary(): Promise<void> {
  const [dataDir, watched] = ['data', 'watched'].map((name) => mkdtempSync(join(tmpdir(), `harrier-net-${name}-`)))
  const app = await testApp({
    ...{ dataDir: dataDir!, db: openDb(join(dataDir!, 'harrier.sqlite')), weather: hourlyWeather },
    env: { WATCH_DIR: watched!, JWT_EXPIRATION_DAYS: '365' },
  })
  mkdirSync(join(dataDir!, 'files', 'media'), { recursive: true })
  await fillLibrary(app, watched!)
  if (app.clock.nowMs > RECORDED_MS) throw new Error(`It was filled until ${new Date(app.clock.nowMs).toISOString()}`)
  app.clock.nowMs = RECORDED_MS
  await settled(app)
  const { $client: client } = app.deps.db
  client.run('PRAGMA journal_mode = DELETE')
  client.run('VACUUM')
  const path = LIBRARIES[`00${SCHEMA_VERSION}` as Library]
  const bytes = packed(filesOf(dataDir!))
  writeFileSync(path, bytes)
  console.log(`${path}: ${bytes.length} bytes, ${app.logged.join('\n')}`)
  await app.close()
}

async function record(library: Library): Promise<void> {
  await using app = await opened(LIBRARIES[library])
  await settled(app)
  const answers: Recorded[] = []
  const calls = [...(await everyCall(app)), ...(await waysBack(app))]
  for (const call of calls) answers.push(await answered(app, call))
  const text = JSON.stringify(answers)
  const bytes = Bun.zstdCompressSync(text, { level: 22 })
  writeFileSync(answersPath(library), bytes)
  console.log(`${answers.length} answers of ${library}: ${text.length} bytes, packed ${bytes.length}`)
  const failed = answers.filter(({ status }) => status >= 500)
  if (failed.length > 0) throw new Error(`${failed.length} fail, such as ${failed[0]!.call}`)
}

const [what, library] = process.argv.slice(2)
if (what === 'library') await makeLibrary()
else if (what === 'answers')
  for (const each of library ? [library] : Object.keys(LIBRARIES)) await record(each as Library)
else throw new Error('bun test/library/net/make.ts library | answers [0008 | 0024]')
