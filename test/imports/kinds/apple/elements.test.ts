import { describe, expect, test } from 'bun:test'
import { FormatError } from '../../../../src/formats/format.ts'
import { Elements, valueIn } from '../../../../src/imports/kinds/apple/elements.ts'
import { BROKEN_DTD } from '../../../fixtures/apple-export.ts'

const encode = (text: string) => new TextEncoder().encode(text)

/** What is found in a text that arrives in pieces of so many bytes. */
function split(text: string, bytes: number) {
  const found: string[] = []
  const elements = new Elements({
    wants: (type) => type === 'a',
    record: (tag) => found.push(valueIn(tag, 'value') ?? ''),
    workout: (text) => found.push(text),
  })
  const all = encode(text)
  for (let at = 0; at < all.length; at += bytes) elements.push(all.subarray(at, at + bytes))
  return { found, unreadable: elements.unreadable, isWhole: elements.isWhole }
}

const TEXT = `<?xml version="1.0"?>${BROKEN_DTD}<HealthData locale="x"><ExportDate/>
<Record type="a" value="1 > 0"><MetadataEntry key="k"/></Record><Record value='2' type='a' />
<Record type="b" value="3"/><!-- <Record type="a" value="4"/> -- --><![CDATA[<Record type="a" value="5"/>]]>
<Records type="a" value="6"/><Record type="a" value="7
8"></Record><Record type=a value="9"/><Workout a="<"/>
<Workout/><Workout a=">"><WorkoutEvent/></Workout>
</HealthData>`

describe('elements of an Apple Health export', () => {
  test('are the same in pieces of any size, and cut at each byte those before', () => {
    const found = ['1 > 0', '2', '7\n8', '<Workout/>', '<Workout a=">"><WorkoutEvent/></Workout>']
    for (const bytes of [1, 2, 3, 7, 64, 1000, 100_000])
      expect([bytes, split(TEXT, bytes)]).toEqual([bytes, { found, unreadable: 2, isWhole: true }])
    for (let at = TEXT.indexOf('<HealthData'); at < TEXT.indexOf('</HealthData'); at += 1) {
      const cut = split(TEXT.slice(0, at), 50)
      expect([cut.isWhole, cut.found]).toEqual([false, found.slice(0, cut.found.length)])
    }
  })

  test('may not begin late, and a DTD within them is refused', () => {
    const late = (blanks: number) => `<!DOCTYPE HealthData [${' '.repeat(blanks)}]><HealthData></HealthData>`
    expect(() => split(late(1_100_000), 65_536)).toThrow(FormatError)
    expect(split(late(1_000_000), 65_536).isWhole).toBe(true)
    expect(() => split('<HealthData><!DOCTYPE x><Record type="a" value="1"/></HealthData>', 10)).toThrow(/DTD/)
  })
})
