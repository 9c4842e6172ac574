#define M 7
