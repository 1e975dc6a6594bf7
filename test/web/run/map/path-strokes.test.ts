import { expect, test } from 'bun:test'
import { distanceMarks, pathStrokes, rowNear } from '../../../../src/web/run/map/map-drawing.ts'
import { pairs } from '../../../fixtures/pairs.ts'

type Places = readonly (readonly [number, number])[]
const SIZE = { width: 200, height: 100 }
/** One unit of the world is one pixel, its zero in the middle of the frame. */
const VIEW = { x: 0, y: 0, scale: 1 }
const pointsOf = (places: Places) => {
  return { x: Float64Array.from(places, ([x]) => x), y: Float64Array.from(places, ([, y]) => y) }
}

function strokesOf(places: Places, steps: readonly number[] = [], breaks: readonly number[] = []) {
  return pathStrokes(pointsOf(places), {
    ...{ view: VIEW, size: SIZE },
    steps: Int8Array.from(places, (_, i) => steps[i] ?? 0),
    isBreak: Uint8Array.from(places, (_, i) => (breaks.includes(i) ? 1 : 0)),
  })
}

test.each([
  // one colour is one line, in pixels from the top left
  ['-50,0 0,10 50,0', [], [], ['0: 50 50 100 60 150 50']],
  // a new colour begins where the old one ends
  ['-50,0 0,0 50,0', [0, 0, 3], [], ['0: 50 50 100 50', '3: 100 50 150 50']],
  // nothing is drawn over a break, and a gap is bridged
  ['-50,0 -20,0 20,0 50,0', [], [2], ['0: 50 50 80 50', '0: 120 50 150 50']],
  ['-50,0 NaN,NaN 50,0', [], [], ['0: 50 50 150 50']],
  // what is out of sight is not drawn, what crosses the frame is
  ['-500,0 -400,0 -300,20', [], [], []],
  ['-500,0 500,0', [], [], ['0: -400 50 600 50']],
])('a route through %s with steps %j and breaks %j is %j', (places, steps, breaks, strokes) => {
  expect(strokesOf(pairs(places), steps, breaks).map(({ step, xy }) => `${step}: ${xy.join(' ')}`)).toEqual(strokes)
})

test('the nearest row is found within reach only; kilometre marks are between the rows, several in one long step', () => {
  const near = pointsOf(pairs('-50,0 NaN,NaN 0,0 50,0'))
  expect(rowNear(near, VIEW, { px: 108, py: 55, size: SIZE, mostPx: 20 })).toBe(2)
  expect(rowNear(near, VIEW, { px: 125, py: 95, size: SIZE, mostPx: 20 })).toBe(-1)
  const points = pointsOf(pairs('0,0 10,0 NaN,NaN 40,30'))
  const marks = distanceMarks(points, Float64Array.of(0, 1500, 2000, 4500), 1000)
  expect(marks.map(({ count }) => count)).toEqual([1, 2, 3, 4])
  expect([marks[0]!.x, marks[1]!.x, marks[3]!.y].map((value) => Number(value.toFixed(9)))).toEqual(
    [1000 / 150, 10 + 30 / 6, 25].map((value) => Number(value.toFixed(9))),
  )
})
