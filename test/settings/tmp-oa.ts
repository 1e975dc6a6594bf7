import { Elysia } from 'elysia'
import { Validator } from '@seriousme/openapi-schema-validator'
import { openApiDocument } from '../../src/http/openapi.ts'
import { settingsRoutes } from '../../src/settings/routes.ts'
import { shoeRoutes, defaultShoeRoutes } from '../../src/shoes/routes.ts'
import { featureApp } from '../fixtures/feature-app.ts'
  const { deps } = featureApp()
  const app = new Elysia().use(settingsRoutes(deps)).use(shoeRoutes(deps)).use(defaultShoeRoutes(deps))
  const doc = await openApiDocument(app, { isPublic: () => false, isSessionOnly: () => false })
  console.log(JSON.stringify((doc.paths as any)['/shoes/{id}'].delete), JSON.stringify((doc.paths as any)['/settings/default-shoe']), Object.keys(doc.paths as any))
  console.log((await new Validator().validate(doc as any)))
