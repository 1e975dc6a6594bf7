// Questions about passes take turns, so that any number of them leaves the Worker to others in between.
import { expect, test } from 'bun:test'
import { type Computed, type ComputeJob, compute } from '../../src/workers/compute.ts'
import { type TestApp, testApp } from '../app.ts'
import { gpxRun, START_MS } from '../fixtures/runs.ts'

const DAY_MS = 86_400_000

interface Line {
  readonly app: TestApp
  readonly id: string
  /** What the Worker was asked since the imports; the traces of a library in one question. */
  asked(): ComputeJob['what'][]
  /** Waits until the Worker has been asked for the last time before it continues. */
  until(what: ComputeJob['what']): Promise<void>
  /** Lets the Worker do the job that it was asked for, or all from now on. */
  work(which: 'one' | 'all'): void
}

/** A library of three runs on the same route, with a Worker that stands still. */
async function line(): Promise<Line> {
  const app = await testApp()
  const [id] = await Promise.all([0, 1, 2].map((day) => app.run(gpxRun({ startMs: START_MS - day * DAY_MS }), 'a.gpx')))
  const jobs: ComputeJob['what'][] = []
  const held: (() => void)[] = []
  let isHeld = true
  app.deps.analyzer.derive = async (job): Promise<Computed> => {
    jobs.push(job.what)
    if (isHeld) await new Promise<void>((resolve) => held.push(resolve))
    return await compute(job)
  }
  return {
    app,
    id: id!,
    // a slow machine reads fewer traces in the time of a job
    asked: () => jobs.filter((what, k) => what !== 'mayPass' || jobs[k - 1] !== what),
    until: async (what) => {
      while (held.length === 0 || jobs.at(-1) !== what) await Bun.sleep(1)
    },
    work: (which) => {
      isHeld = which === 'one'
      for (const go of which === 'one' ? held.splice(0, 1) : held.splice(0)) go()
    },
  }
}

function ask({ app, id }: Line, signal?: AbortSignal): Promise<Response> {
  const headers = { authorization: `Bearer ${app.token}` }
  return app.handle(new Request(`http://localhost/workouts/${id}/passes`, { headers, ...(signal && { signal }) }))
}

const QUESTION = ['stretch', 'mayPass', 'passes'] as const

test('one question is answered at a time, 64 wait, and one more is sent away', async () => {
  const one = await line()
  await using app = one.app
  const answers = Array.from({ length: 66 }, () => ask(one))
  const refused = await Promise.race(answers)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
  expect(await refused.json()).toEqual({ error: 'Too many questions about passes are waiting, try again' })
  expect(one.asked()).toEqual(['stretch'])
  one.work('all')
  expect(await (await answers[0]!).json()).toMatchObject({ count: 3, runCount: 3 })
  const statuses = (await Promise.all(answers)).map(({ status }) => status).toSorted()
  expect(statuses).toEqual([...Array<number>(65).fill(200), 503])
  // traces are read, and tracks of those that may pass; no question began before the one before it was answered
  expect(one.asked()).toEqual(Array.from({ length: 65 }, () => QUESTION).flat())
  expect(app.logged).toEqual([])
})

test('a question whose client leaves is not begun, or ends with its next step, without a line in the log', async () => {
  const one = await line()
  await using app = one.app
  const [atWork, waiting] = [new AbortController(), new AbortController()]
  const left = [ask(one, atWork.signal)]
  await one.until('stretch')
  left.push(ask(one, waiting.signal))
  const stays = ask(one)
  one.work('one')
  await one.until('mayPass')
  waiting.abort()
  atWork.abort()
  one.work('all')
  expect((await stays).status).toBe(200)
  expect(one.asked()).toEqual(['stretch', 'mayPass', ...QUESTION])
  await Promise.all(left)
  expect(app.logged).toEqual([])
})
