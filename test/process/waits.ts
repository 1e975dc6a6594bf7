import { readFileSync } from 'node:fs'
import type { RealServer } from './real-server.ts'

/**
 * Asks for something small again and again until `end`, which gives the longest that the thread of the requests worked
 * before it answered, milliseconds: without the time that a busy machine keeps it waiting, as the clock would count.
 */
export function watchWaits({ address, pid }: Pick<RealServer, 'address' | 'pid'>): { end(): Promise<number> } {
  let longest = 0
  let isOver = false
  const ask = async () => {
    while (!isOver) {
      const before = workedMs(pid)
      await (await fetch(`${address}/health`)).text()
      longest = Math.max(longest, workedMs(pid) - before)
      await Bun.sleep(5)
    }
  }
  const asking = ask()
  return {
    end: async () => {
      isOver = true
      await asking
      return Math.round(longest)
    },
  }
}

/** What the first thread of the process has worked so far. */
function workedMs(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6
}

/** The most memory that the process ever had in use. */
export function peakMiB(pid: number): number {
  const kib = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Math.round(Number(kib) / 1024)
}
