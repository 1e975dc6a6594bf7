import { PASSWORD } from '../../base/texts.ts'
import { characters } from '../../http/check.ts'

/** OWASP's argon2id parameters with the least memory: 20 ms and 19 MB; Bun's default takes 77 ms and 159 MB. */
const ARGON2ID = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const
/** Hash of a random text that was discarded: a login with an unknown name takes as long as one with a known name. */
const NOBODY =
  '$argon2id$v=19$m=19456,t=2,p=1$z4d5NgpHcNJCGvccPCm9TJtEjA8QSicaRwPg5XLdV/M$oNBPAScT9DO/EiFqGAqLQwhoY/yv44yfUQuZoRWaetU'

/** The first rule that a new password breaks, as a sentence. @param username trimmed */
export function passwordFault(password: string, username: string, field = 'password'): string | null {
  const length = characters(password)
  if (password.trim() === '') return `${field} must not be blank`
  if (length < PASSWORD.least) return `${field} must have at least ${PASSWORD.least} characters`
  if (length > PASSWORD.most) return `${field} must have at most ${PASSWORD.most} characters`
  if (Buffer.byteLength(password) > PASSWORD.mostBytes)
    return `${field} must have at most ${PASSWORD.mostBytes} bytes in UTF-8`
  if (/(.)\1{4}/su.test(password)) return `${field} must not repeat one character five or more times in a row`
  const isNamed = characters(username) >= 3 && password.toLowerCase().includes(username.toLowerCase())
  if (isNamed) return `${field} must not contain the username`
  return isCommon(password) ? `${field} is too common` : null
}

export function hashPassword(password: string): Promise<string> {
  return Bun.password.hash(password, ARGON2ID)
}

/** @param hash null for an unknown user; the check then takes as long and fails */
export async function isPassword(password: string, hash: string | null): Promise<boolean> {
  const isRight = await Bun.password.verify(password, hash ?? NOBODY, 'argon2id')
  return isRight && hash !== null
}

/** Common words and passwords in lower case; our own collection. */
const WORDS: readonly string[] = `
password passw0rd p@ssword p@ssw0rd pa55word pass passwort kennwort passcode passphrase motdepasse contrasena
contraseña senha parola haslo wachtwoord admin administrator root toor user guest test tester testing demo default
changeme changeit letmein letmeinnow welcome welcome1 login logmein secret topsecret access access14 master
superuser sysadmin server network internet computer laptop keyboard windows microsoft google facebook instagram
youtube twitter linkedin amazon apple android iphone samsung linux ubuntu debian docker github database oracle mysql
postgres sqlite qwerty qwertz azerty qwert qwertyui qwertyuiop asdf asdfg asdfgh asdfghjk asdfghjkl zxcv zxcvb
zxcvbn zxcvbnm yxcvbnm qazwsx qazwsxedc 1qaz2wsx 1q2w3e 1q2w3e4r 1q2w3e4r5t q1w2e3r4 q1w2e3r4t5 zaq12wsx abc abcd
abcde abcdef abcdefg abcdefgh abcdefghijklmnop abcdefghijklmnopqrstuvwxyz abc123 a1b2c3 a1b2c3d4 iloveyou iloveu
ilovemyself loveyou lovely love lover loveme sweetheart sweetie honey darling baby babygirl babyboy angel princess
prince queen king sunshine moonlight starlight rainbow butterfly flower flowers blossom summer winter spring autumn
january february march april may june july august september october november december monday tuesday wednesday
thursday friday saturday sunday morning evening midnight weekend holiday vacation football soccer baseball
basketball hockey tennis golf golfer cricket rugby volleyball swimming swimmer cycling cyclist running runner run
marathon halfmarathon triathlon ironman jogging jogger trailrun sprint athlete athletics fitness workout training
trainer strava garmin polar suunto coros fenix forerunner tempo harrier pace racing race racer champion champions
winner victory legend hero liverpool arsenal chelsea everton barcelona realmadrid juventus bayern dortmund schalke
yankees lakers cowboys eagles steelers packers broncos dragon monkey tiger lion panther eagle falcon hawk wolf bear
shark dolphin horse pony puppy kitten kitty cat dog doggy fish bird rabbit turtle snake spider buster max bella
charlie lucy rocky jack daisy molly bailey sadie ginger pepper shadow smokey tigger simba nala snoopy pikachu
pokemon batman superman spiderman ironmaiden starwars startrek skywalker vader darthvader yoda gandalf frodo hobbit
matrix terminator hulk thor avengers wonderwoman harrypotter hogwarts hermione naruto goku minecraft fortnite roblox
zelda mario luigi nintendo playstation xbox gamer killer ninja samurai pirate knight wizard warrior hunter ranger
soldier sniper assassin demon devil satan hell heaven jesus christ jesuschrist god godisgood blessed faith hope
peace freedom liberty america usa england london paris berlin munich vienna zurich madrid lisbon rome milan
amsterdam stockholm oslo copenhagen helsinki dublin moscow tokyo sydney melbourne toronto montreal chicago boston
dallas houston denver seattle newyork losangeles california texas florida canada mexico brazil germany deutschland
austria france espana italia nederland australia michael jennifer jessica ashley daniel matthew joshua andrew thomas
robert william david richard joseph james john johnny jordan justin anthony christopher alexander alexandra
alexander1 nicole michelle amanda samantha stephanie elizabeth victoria natasha sophie sophia emma olivia hannah
sarah laura julia anna maria martin peter stefan andreas markus patrick sebastian christian dominik benjamin
jonathan nicholas george harry oliver henry samuel gabriel hassan mohammed muhammad ahmed carlos diego fernando
antonio francesco giovanni mustang ferrari porsche mercedes corvette camaro harley yamaha honda toyota nissan subaru
maserati lamborghini bugatti chocolate cookie cookies banana orange cherry strawberry coffee whiskey vodka beer
pizza cheese bacon chicken hamburger sugar candy purple yellow green blue black white silver golden gold diamond
platinum crystal ruby emerald sapphire pearl guitar music metallica nirvana slipknot eminem rockstar rocknroll piano
drummer dancer dancing singer trustno1 whatever nothing something anything everything nobody somebody blahblah blah
asshole fuckyou fuckme fuckoff bitch bitches pussy sexy hotstuff hottie money dollar dollars million millionaire
lottery lucky luckyme business office manager company work worker job school student teacher college university
library science physics chemistry biology history english spanish family mother father mommy daddy mama papa brother
sister grandma grandpa friend friends bestfriend forever always together foreverandever hello helloworld hallo
bonjour hola ciao goodbye please thankyou thanks sorry yes no maybe phoenix mercury venus saturn jupiter neptune
pluto galaxy universe cosmos planet earth mars moon star stars sun apollo athena zeus poseidon matrix1 cheese1
computer1 security secure private confidential mypassword mypass yourpassword newpassword oldpassword thepassword
nopassword password1 password12 password123 passwords passwordpassword letmein1 opensesame abracadabra
supercalifragilistic supercalifragilisticexpialidocious correcthorsebatterystaple tobeornottobe
tobeornottobethatisthequestion thequickbrownfox thequickbrownfoxjumps iamthebest ilovemywife ilovemyfamily
ilovemydog ilovemycat ilovejesus iloverunning iloveyouforever iloveyousomuch iloveyouverymuch mynameis
whatismypassword thisismypassword thisisapassword thisisasecret donotenter keepout stayaway neveragain nevergiveup
justdoit carpediem hakunamatata maytheforcebewithyou lordoftherings gameofthrones winteriscoming breakingbad
thewalkingdead strangerthings bigbangtheory howimetyourmother manchesterunited manchestercity bayernmunich
atleticomadrid borussiadortmund losangeleslakers newyorkyankees dallascowboys sanfrancisco philadelphia
administrator1 adminadmin rootroot testtest testpassword temppassword temporarypassword defaultpassword
changethispassword pleasechangeme raspberry raspberrypi raspbian pi nas synology homeserver homelab homeassistant
plex jellyfin nextcloud
`
  .trim()
  .split(/\s+/)

/** Letter and digit rows of the keyboards in use (QWERTY, QWERTZ, AZERTY), each in both directions. */
const ROWS: readonly string[] =
  '1234567890 qwertyuiop asdfghjkl zxcvbnm qwertzuiop yxcvbnm azertyuiop qsdfghjklm wxcvbn'
    .split(' ')
    .flatMap((row) => [row, [...row].reverse().join('')])

/**
 * Whether a password is one of the first guesses (docs/api.md 3): a listed word, repeated or with digits, a run of
 * digits, or a walk along whole keyboard rows. Case is ignored.
 */
export function isCommon(password: string): boolean {
  const folded = password.toLowerCase()
  if (isDigitRun(folded) || isKeyboardWalk(folded)) return true
  return WORDS.some((word) => isBesideDigits(folded, word) || isRepetition(folded, word))
}

function isBesideDigits(text: string, word: string): boolean {
  const start = text.indexOf(word)
  return start !== -1 && /^\d*$/.test(text.slice(0, start) + text.slice(start + word.length))
}

function isRepetition(text: string, word: string): boolean {
  return text.length % word.length === 0 && text === word.repeat(text.length / word.length)
}

/** Whether each digit is one more, or each is one less, than the last; 9 and 0 are neighbours. */
function isDigitRun(text: string): boolean {
  if (!/^\d{2,}$/.test(text)) return false
  const steps = [...text].slice(1).map((digit, index) => (Number(digit) - Number(text[index]) + 10) % 10)
  return steps.every((step) => step === 1) || steps.every((step) => step === 9)
}

/** Whether the text consists of whole keyboard rows, the last of which may be incomplete. */
function isKeyboardWalk(text: string, wholeRows = 0): boolean {
  if (wholeRows > 0 && ROWS.some((row) => row.startsWith(text))) return true
  return ROWS.some((row) => text.startsWith(row) && isKeyboardWalk(text.slice(row.length), wholeRows + 1))
}
