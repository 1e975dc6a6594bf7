// What was answered survives a power cut: the folder is put together again as the disk had it when the process was killed
// right after its answer.
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { maker } from '../attack/made-runs.ts'
import { randomOf } from '../attack/random.ts'
import { faultsOf, storedIn } from '../library/whole.ts'
import { tempFolder } from '../temp-folder.ts'
import { stateOf } from './library-state.ts'
import { json, oneFile, startServer } from './real-server.ts'
import { afterPowerCut, canTrace, syncedState, tracing } from './synced-state.ts'

const root = tempFolder()
const { strava, run } = maker(randomOf('power cut'))

test.skipIf(!canTrace())(
  'runs, photos and originals that were answered are there after a power cut',
  async () => {
    const [dataDir, log, copy] = [join(root, 'data'), join(root, 'trace'), join(root, 'after')]
    // the first process makes the database and its account, the second one is watched
    const first = await startServer({ dataDir })
    const cookie = await first.login()
    await first.end('SIGTERM')
    const server = await startServer({ dataDir, through: tracing(log) })
    let id = ''
    for (let day = 0; day < 3; day += 1) {
      const { name, bytes } = run().file
      const answer = await server.call('/workouts/import', oneFile(name, Buffer.from(bytes)), cookie)
      id = ((await answer.json()) as { id: string }).id
    }
    const { zip, runs } = strava(20)
    const bulk = await server.call('/workouts/import/bulk', oneFile(zip.name, Buffer.from(zip.bytes)), cookie)
    const photos = runs.reduce((sum, one) => sum + one.photos.size, 0)
    expect(await bulk.json()).toMatchObject({ successful: 20, errors: 0, mediaImported: photos })
    expect((await server.call(`/workouts/${id}`, json('PATCH', { notes: 'kept' }), cookie)).status).toBe(200)
    const answered = await stateOf((path) => server.call(path, {}, cookie))
    const children = readFileSync(`/proc/${server.pid}/task/${server.pid}/children`, 'utf8')
    process.kill(Number(children.trim().split(' ')[0]), 'SIGKILL')
    await server.end('SIGTERM')

    afterPowerCut(dataDir, syncedState(log, dataDir), copy)
    expect([storedIn(copy), faultsOf(copy)]).toEqual([{ runs: 23, photos }, []])
    await using again = await startServer({ dataDir: copy })
    expect(await stateOf((path) => again.call(path, {}, cookie))).toEqual(answered)
  },
  120_000,
)
