import { eachStep } from './line.ts'
import { sideM, UNITS } from './squares.ts'

/** Ground is new where no earlier run came about as near as this, metres. */
const NEAR_M = 25
/** Pixels of 4 units. */
const PIXELS = 256
const PIXEL_UNITS = UNITS / PIXELS

/** One square, in which runs are added in the order of their start. */
export interface NewGround {
  /** @returns metres of the line that no run added before came near, each pixel counted once */
  add(line: Uint8Array): number
}

/** @param y row of the square; nothing is seen across its edge (docs/algorithms.md 26) */
export function createNewGround(y: number): NewGround {
  const near = new Uint8Array(PIXELS * PIXELS)
  const touched = new Uint8Array(PIXELS * PIXELS)
  const ownRun = new Uint32Array(PIXELS * PIXELS)
  const reach = Math.max(1, Math.round(NEAR_M / (sideM(y) / PIXELS)))
  const perUnit = sideM(y) / UNITS
  let run = 0
  const dilate = (at: number) => {
    const [column, row] = [at % PIXELS, Math.floor(at / PIXELS)]
    for (let down = Math.max(-reach, -row); down <= Math.min(reach, PIXELS - 1 - row); down += 1) {
      const across = Math.floor(Math.sqrt(reach * reach - down * down))
      const first = (row + down) * PIXELS + Math.max(0, column - across)
      near.fill(1, first, (row + down) * PIXELS + Math.min(PIXELS - 1, column + across) + 1)
    }
  }
  return {
    add: (line) => {
      run += 1
      const own: number[] = []
      let units = 0
      eachStep(line, (fromX, fromY, toX, toY) => {
        const [byX, byY] = [toX - fromX, toY - fromY]
        const parts = Math.max(1, Math.floor(Math.max(Math.abs(byX), Math.abs(byY)) / PIXEL_UNITS))
        const length = Math.sqrt(byX * byX + byY * byY) / parts
        for (let part = 0; part < parts; part += 1) {
          const share = (part + 0.5) / parts
          const at = pixelOf(fromY + share * byY) * PIXELS + pixelOf(fromX + share * byX)
          if (ownRun[at] === run) continue
          ownRun[at] = run
          own.push(at)
          if (near[at] === 0) units += length
        }
      })
      for (const at of own) {
        if (touched[at] === 1) continue
        touched[at] = 1
        dilate(at)
      }
      return units * perUnit
    },
  }
}

function pixelOf(unit: number): number {
  return Math.min(PIXELS - 1, Math.floor(unit / PIXEL_UNITS))
}
