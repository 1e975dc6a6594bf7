import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { openDb } from '../../src/db/open.ts'
import { preparedOnce } from '../../src/db/prepared.ts'

test('a question is prepared once a connection, and sees what a transaction has written', () => {
  let made = 0
  const version = preparedOnce((tx) => {
    made += 1
    return tx.select({ n: sql<number>`count(*)` }).from(sql`shoe`).prepare()
  })
  const [one, other] = [openDb(':memory:'), openDb(':memory:')]
  const add = () =>
    one.$client.run("INSERT INTO shoe (id, brand, model, created_at, updated_at) VALUES ('a', 'b', 'c', 0, 0)")
  expect(version(one).get()).toEqual({ n: 0 })
  one.transaction((tx) => {
    add()
    expect(version(tx).get()).toEqual({ n: 1 })
  })
  expect(version(other).get()).toEqual({ n: 0 })
  expect(version(one).get()).toEqual({ n: 1 })
  expect(made).toBe(2)
})
