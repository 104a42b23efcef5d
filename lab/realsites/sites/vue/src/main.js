import {createApp} from "vue";
import {createRouter, createWebHistory} from "vue-router";
import App from "./App.vue";
import Home from "./Home.vue";

const router = createRouter({
  history: createWebHistory(),
  routes: [
    {path: "/", component: Home},
    {path: "/seeds", component: () => import("./Seeds.vue")},
    {path: "/seeds/:slug", component: () => import("./Seed.vue")},
    {path: "/map", component: () => import("./Notice.vue"), props: {name: "map"}},
    {path: "/visit", component: () => import("./Notice.vue"), props: {name: "visit"}},
  ],
});
createApp(App).use(router).mount("#app");
