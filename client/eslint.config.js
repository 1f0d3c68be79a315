import js from '@eslint/js';
import svelte from 'eslint-plugin-svelte';
import { defineConfig } from 'eslint/config';
import ts from 'typescript-eslint';
import borders from './eslint.borders.js';
import svelteConfig from './svelte.config.js';

export default defineConfig(
  { ignores: ['src/wire/'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error', reportUnusedInlineConfigs: 'error' } },
  { files: ['*.js'], extends: [js.configs.recommended], languageOptions: { globals: { URL: 'readonly' } } },
  {
    files: ['offline.js'],
    languageOptions: {
      globals: Object.fromEntries(
        [
          '__HASHED__',
          '__OTHERS__',
          'addEventListener',
          'caches',
          'clients',
          'fetch',
          'location',
          'skipWaiting',
          'DecompressionStream',
          'Request',
          'Response',
        ].map((name) => [name, 'readonly']),
      ),
    },
  },
  {
    files: ['src/**/*.{ts,svelte}'],
    extends: [
      js.configs.recommended,
      ts.configs.strictTypeChecked,
      ts.configs.stylisticTypeChecked,
      svelte.configs.recommended,
    ],
    languageOptions: {
      parserOptions: { projectService: true, extraFileExtensions: ['.svelte'], tsconfigRootDir: import.meta.dirname },
    },
    plugins: { borders },
    rules: {
      'borders/imports': 'error',
      // Names that say too little.
      'id-denylist': ['error', 'one', 'told', 'standing'],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_$' }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      // TypeScript checks names.
      'no-undef': 'off',
      // The code uses short arrow functions, `void` before the dependencies of an effect, and methods as properties.
      '@typescript-eslint/no-confusing-void-expression': 'off',
      '@typescript-eslint/no-meaningless-void-operator': 'off',
      '@typescript-eslint/unbound-method': 'off',
      '@typescript-eslint/no-empty-function': ['error', { allow: ['arrowFunctions'] }],
      // False positives for an index that was just looked up, and for empty texts.
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/prefer-nullish-coalescing': 'off',
      '@typescript-eslint/no-misused-spread': 'off',
      '@typescript-eslint/dot-notation': ['error', { allowIndexSignaturePropertyAccess: true }],
      '@typescript-eslint/consistent-type-definitions': 'off',
      '@typescript-eslint/no-empty-object-type': ['error', { allowInterfaces: 'with-single-extends' }],
      // A Set that never changes needs no reactivity of its own; `{' '}` keeps a space.
      'svelte/prefer-svelte-reactivity': 'off',
      'svelte/no-useless-mustaches': 'off',
      'svelte/prefer-writable-derived': 'off',
    },
  },
  {
    files: ['src/**/*.svelte', 'src/**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: ts.parser, svelteConfig } },
  },
  {
    // ESLint has no types across components, and is slow to look for them; svelte-check has.
    files: ['src/**/*.svelte'],
    extends: [ts.configs.disableTypeChecked],
    languageOptions: { parserOptions: { projectService: false } },
    rules: { 'max-lines': ['error', 300] },
  },
  {
    files: ['src/games/pointcity/words.ts', 'src/i18n/i18n.test.ts'],
    rules: { 'id-denylist': 'off' },
  },
  {
    // Tests may import from anywhere.
    files: ['src/**/*.test.ts'],
    rules: { 'borders/imports': 'off' },
  },
);
