import { type AnyElysia, Elysia } from 'elysia'
import { embedded } from '../base/embedded.ts'
import { type Access, openApiDocument } from './openapi.ts'

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Harrier API</title>
<link rel="stylesheet" href="/swagger/assets/swagger-ui.css">
</head>
<body>
<div id="swagger-ui"></div>
<script src="/swagger/assets/swagger-ui-bundle.js"></script>
<script src="/swagger/assets/start.js"></script>
</body>
</html>
`

const START = `window.ui = SwaggerUIBundle({ url: '/swagger/json', dom_id: '#swagger-ui', deepLinking: true })\n`

/**
 * Swagger UI styles its elements inline and draws its icons as data. The last three directives do not fall back to
 * default-src.
 */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; " +
  "frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

/** The interactive API page, its assets and the document; all served by this process and read at the first request. */
export function swaggerRoutes(app: () => AnyElysia, access: Access) {
  let document: Promise<string> | null = null
  return new Elysia({ prefix: '/swagger', detail: { hide: true } })
    .get('/', () => asset(PAGE, 'text/html; charset=utf-8'))
    .get('/json', async () => {
      document ??= openApiDocument(app(), access).then((value) => JSON.stringify(value))
      return asset(await document, 'application/json')
    })
    .get('/assets/start.js', () => asset(START, 'text/javascript; charset=utf-8'))
    .get('/assets/swagger-ui-bundle.js', () => packaged('swagger-ui-bundle.js', 'text/javascript; charset=utf-8'))
    .get('/assets/swagger-ui.css', () => packaged('swagger-ui.css', 'text/css; charset=utf-8'))
}

function packaged(name: string, type: string): Response {
  return asset(Bun.file(embedded?.apiPage[name] ?? new URL(`swagger-ui/${name}`, import.meta.url)), type)
}

function asset(body: string | Blob, type: string): Response {
  const headers = {
    'Content-Type': type,
    'Content-Security-Policy': CONTENT_SECURITY_POLICY,
    'X-Content-Type-Options': 'nosniff',
  }
  return new Response(body, { headers })
}
