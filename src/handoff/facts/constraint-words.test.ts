import { describe, expect, test } from "bun:test";
import { constraintStrength } from "./constraint-words.ts";

const ORDERS = [
  "Never log a token.",
  "Ask before terraform apply.",
  "Destroy nothing.",
  "Frag mich vorher.",
  "The API must not change.",
  "don't touch the tests",
  "Do not add any dependency.",
  "Use pnpm instead of npm.",
  "No mocks.",
  "invalid themes must NEVER explode",
  "only change src/a.ts",
  "Leave the config alone.",
  "Stay under 200 lines.",
  "Verwende auf keinen Fall jQuery.",
  "Die API darf sich nicht ändern.",
  "Bitte keine neuen Abhängigkeiten",
  "Immer mit pytest -q testen.",
  "N'utilise pas de jQuery.",
  "Il ne faut jamais modifier la base.",
  "Nunca modifiques el esquema.",
  "No uses jQuery.",
  "Não altere os testes.",
  "Non modificare lo schema.",
  "Gebruik geen nieuwe pakketten",
  "Använd aldrig any.",
  "Nigdy nie usuwaj danych.",
  "Не трогай тесты.",
  "Никогда не пушь в main.",
  "不要修改数据库",
  "必须用 testing-library",
  "絶対に変更しないで",
  "必ずstrictモードで書くこと",
  "절대 삭제하지 마",
  "Testleri asla silme",
  "Đừng sửa tệp này",
  "لا تستخدم jQuery",
  "कभी नहीं बदलना",
  "Μην αλλάξεις το API",
];
const WISHES = [
  "I prefer tabs.",
  "please keep it short",
  "Lieber eine Funktion.",
  "Je préfère les tabulations",
  "Хочу табы",
  "请用中文注释",
];
const NEITHER = [
  "make the button blue",
  "I don't know why it fails",
  "we don't have a server",
  "it doesn't work",
  "i don't understand, does it capture the theme?",
  "read README.md that details everything",
  "Mach den Knopf blau",
  "Fais un bouton bleu",
  "Сделай кнопку синей",
  "把按钮改成蓝色",
  "yeah, do it all",
];

describe("constraintStrength()", () => {
  for (const text of ORDERS)
    test(`takes "${text}" for an order`, () => expect(constraintStrength(text)).toBe(2));
  for (const text of WISHES)
    test(`takes "${text}" for a wish`, () => expect(constraintStrength(text)).toBeGreaterThan(0));
  for (const text of NEITHER)
    test(`takes "${text}" for neither`, () => expect(constraintStrength(text)).toBe(0));
});
