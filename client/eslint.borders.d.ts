import type { ESLint } from 'eslint';

export declare const BORDERS: Readonly<Record<string, readonly string[]>>;
export declare function areaOf(path: string): string;
export declare function mayImport(from: string, to: string): boolean;
declare const borders: ESLint.Plugin;
export default borders;
