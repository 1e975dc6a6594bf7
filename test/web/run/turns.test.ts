import { expect, test } from 'bun:test'
import { inTurn } from '../../../src/web/run/run-view.ts'

test('each frame does one of the drawings, and each drawing once for all requests before it', () => {
  const frames: (() => void)[] = []
  const before = globalThis.requestAnimationFrame
  globalThis.requestAnimationFrame = (callback) => frames.push(() => callback(0))
  try {
    const drawn: string[] = []
    const pace = () => void drawn.push('pace')
    const pulse = () => void drawn.push('pulse')
    for (const draw of [pace, pulse, pace, pulse]) inTurn(draw)
    const each = []
    while (frames.length > 0) {
      frames.shift()?.()
      each.push(drawn.splice(0))
    }
    expect(each).toEqual([['pace'], ['pulse']])
  } finally {
    globalThis.requestAnimationFrame = before
  }
})
