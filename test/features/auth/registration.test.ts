import { describe, expect, test } from 'bun:test'
import { isCommon, passwordFault } from '../../../src/features/auth/password.ts'
import { testApp } from '../../app.ts'

const GOOD = 'correct-horse-battery-staple'
const MESSAGE = { message: 'User registered successfully' }

describe('registration', () => {
  test('is open until the first user exists', async () => {
    await using app = await testApp({ fresh: true })
    const available = async () => (await app.call('GET', '/auth/registration-available')).json
    expect(await available()).toEqual({ registrationAvailable: true })
    const { status, json, headers } = await app.call('POST', '/auth/register', {
      json: { username: '  runner ', password: GOOD, confirmPassword: GOOD },
    })
    expect([status, json]).toEqual([200, { ...MESSAGE, userId: expect.stringMatching(/^[0-9a-f-]{36}$/) }])
    expect(headers.get('set-cookie')).toBeNull()
    expect(await available()).toEqual({ registrationAvailable: false })
    const second = await app.call('POST', '/auth/register', { json: { username: 'other', password: GOOD } })
    expect([second.status, second.json]).toEqual([
      400,
      expect.objectContaining({ error: 'A user exists already, registration is closed' }),
    ])
    const login = await app.call('POST', '/auth/login', { json: { username: 'runner', password: GOOD } })
    expect(login.json.username).toBe('runner')
  })

  test('of two parallel calls exactly one succeeds', async () => {
    await using app = await testApp({ fresh: true })
    const call = (username: string) => app.call('POST', '/auth/register', { json: { username, password: GOOD } })
    const answers = await Promise.all([call('a'), call('b'), call('c')])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400])
  })
})

test.each<[password: string, fault: string | null, username?: string]>([
  [' '.repeat(20), 'must not be blank'],
  ['fifteen chars!!', 'must have at least 16 characters'],
  [`a${'xyz'.repeat(21)}b`, 'must have at most 64 characters'],
  ['äöüÄÖÜß'.repeat(6), 'must have at most 72 bytes in UTF-8'],
  ['thisisaaaaabadword', 'must not repeat one character five or more times in a row'],
  ['🏃🏃🏃🏃🏃 fast enough', 'must not repeat one character five or more times in a row'],
  ['my name is RUNNER ok', 'must not contain the username'],
  [GOOD, 'must not contain the username', 'ORS'],
  // a username of one or two characters may be part of it
  [GOOD, null, 'or'],
  // 64 characters of 72 bytes
  [`${'äbcd'.repeat(2)}${'ä'}${'efghijk'.repeat(7)}lmnopq`, null, 'x'],
])('the password %s %p', (password, fault, username = 'runner') => {
  expect(passwordFault(password, username)).toBe(fault && `password ${fault}`)
})

test('common passwords and walks along the keyboard are refused, half a row is none', () => {
  for (const password of [
    ...['passwordpassword', 'iloveyouiloveyou', 'PassWord12345678', '12345678password', '1234567890123456'],
    ...['9876543210987654', 'qwertyuiopasdfgh', 'asdfghjklqwertyuiop', 'poiuytrewqlkjhgfdsa', 'qwertzuiopyxcvbnm'],
    ...['correcthorsebatterystaple', '1q2w3e4r12345678'],
  ])
    expect([password, passwordFault(password, 'runner')]).toEqual([password, 'password is too common'])
  for (const password of [
    ...[GOOD, 'TestPassword1234!', 'aaaabbbbccccdddd', 'sixteen chars ok', 'marathon-sunrise-42'],
    ...['🏃🚴🏊🏃🚴🏊🏃🚴🏊🏃🚴🏊🏃🚴🏊🏃', 'password-qwertyuiop', '1357913579135791'],
  ])
    expect([password, passwordFault(password, 'nobody')]).toEqual([password, null])
  expect(isCommon('qwertyasdfghzxcvbn')).toBe(false)
})
