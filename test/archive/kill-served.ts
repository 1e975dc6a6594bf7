import { expect } from 'bun:test'
import type { RealServer } from '../process/real-server.ts'
import type { MadeLibrary } from './kill-library.ts'

interface Item {
  readonly id: string
  readonly name: string
  readonly distanceM: number
  readonly splitsCount: number
  readonly hasRoute: boolean
}

const A_PAGE = 100
const AT_ONCE = 8

/** Whatever the list names or the statistics count is answered whole: detail, samples, original and photos. */
export async function expectServed({
  server,
  cookie,
  library,
  runs,
}: {
  readonly server: RealServer
  readonly cookie: string
  readonly library: MadeLibrary
  readonly runs: number
}): Promise<void> {
  const get = (path: string) => server.call(path, {}, cookie)
  // biome-ignore lint/suspicious/noExplicitAny: tests read members of answers and compare them
  const json = async (path: string): Promise<any> => await (await get(path)).json()

  const items: Item[] = []
  for (let page = 1; page === 1 || items.length === (page - 1) * A_PAGE; page += 1) {
    const answer = await get(`/workouts?pageSize=${A_PAGE}&page=${page}`)
    if (answer.status === 404) break
    const { items: listed, totalCount } = (await answer.json()) as { items: Item[]; totalCount: number }
    expect(totalCount).toBe(runs)
    items.push(...listed)
  }
  expect(items.length).toBe(runs)
  expect(new Set(items.map(({ id }) => id)).size).toBe(runs)

  const ids = items.map(({ id }) => id)
  const { distances } = await json('/stats/best-efforts')
  expect(distances.every(({ workoutId }: { workoutId: string }) => ids.includes(workoutId))).toBe(true)
  expect(distances.length > 0).toBe(runs > 0)

  const waiting = [...items]
  const check = async () => {
    for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) {
      const detail = await json(`/workouts/${item.id}`)
      expect([item.name, detail.splits.length, detail.hasRoute]).toEqual([item.name, item.splitsCount, true])
      const samples = await json(`/workouts/${item.id}/time-series?pageSize=1`)
      expect([item.name, samples.totalCount]).toEqual([item.name, detail.durationS + 1])
      const file = await get(`/workouts/${item.id}/file`)
      const name = /filename="([^"]+)"/.exec(file.headers.get('content-disposition') ?? '')?.[1] ?? ''
      expect(Buffer.from(await file.arrayBuffer()).equals(library.files.get(name)!), item.name).toBe(true)
      for (const photo of await json(`/workouts/${item.id}/media`)) {
        const bytes = Buffer.from(await (await get(`/workouts/${item.id}/media/${photo.id}`)).arrayBuffer())
        expect(bytes.equals(library.files.get(photo.filename)!), photo.filename).toBe(true)
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, check))
}
